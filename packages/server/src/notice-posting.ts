import {
  createNoticePoster,
  createSender,
  type NoticePoster,
  parseAllowList,
  type Resolver,
} from "@markethook/dispatcher";
import { makeTag, type RandomBytes } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import type { Config } from "./settings/config-schema.ts";
import { INSTANCE_NAME, type Logging } from "./log/logger.ts";
import { VERSION } from "./version.ts";

export interface NoticePosting {
  /** Null: nothing is posted. */
  view(): Promise<NoticePostingView | null>;
  start(): void;
  stop(): Promise<void>;
}

interface NoticePostingView {
  host: string;
  unposted: number;
  oldestSeconds: number;
  /** What the last try came to, of this instance; null: it worked. */
  failure: string | null;
}

interface NoticePostingDeps {
  config: Config;
  baseUrl: string;
  store: Store;
  resolver: Resolver;
  /** Monotonic milliseconds. */
  now: () => number;
  randomBytes: RandomBytes;
  logger: Logging["logger"];
  fault(where: string, error: unknown): void;
}

/** The operator named it, so it may be anywhere; redirects are followed nowhere. */
const ANYWHERE = parseAllowList("0.0.0.0/0,::/0");

/** Posts notices to where the setting says; does nothing where it is not set, or in a dry run. */
export function createNoticePosting(deps: NoticePostingDeps): NoticePosting {
  const { config, store, now, logger } = deps;
  const { noticesUrl: url, noticesSecret: secret } = config;
  // A staging copy must not tell the real marketplace.
  if (url === null || secret === null || config.dryRun) {
    return { view: async () => null, start() {}, stop: async () => {} };
  }
  const { host } = new URL(url);
  const sender = createSender({
    now,
    attemptTimeoutMs: config.attemptTimeout,
    allow: ANYWHERE,
    blockedPorts: new Set(),
    resolver: deps.resolver,
    maxSockets: 1,
    tlsCurves: config.tlsCurves,
  });
  const poster: NoticePoster = createNoticePoster({
    store,
    sender,
    url,
    secret,
    profile: {
      serviceName: config.serviceName,
      userAgent: `Markethook/${VERSION} (+${config.publicUrl ?? deps.baseUrl})`,
    },
    // In containers the names of two instances may be the same.
    holder: `${INSTANCE_NAME}:${makeTag(deps.randomBytes)}`,
    wallNow: Date.now,
    random: Math.random,
    randomBytes: deps.randomBytes,
    failed: (failure) => logger.warn({ ...failure, host }, "notice was not taken"),
    fault: (error) => deps.fault("notices", error),
  });
  return {
    async view() {
      const lag = await store.noticePosts.lag();
      const failure = poster.failure();
      return {
        host,
        unposted: lag?.unposted ?? 0,
        oldestSeconds: Math.max(0, Math.floor((Date.now() - (lag?.oldestAt ?? Date.now())) / 1000)),
        failure: failure === null ? null : `${failure.outcome} ${failure.status ?? ""}`.trimEnd(),
      };
    },
    start: () => poster.start(),
    async stop() {
      const stopped = poster.stop();
      // Ends what is open; the same notice is posted again by anyone who comes next.
      sender.close();
      await stopped;
    },
  };
}

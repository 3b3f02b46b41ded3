import {
  createNoticePoster,
  createSender,
  parseAllowList,
  type Resolver,
} from "@markethook/dispatcher";
import { makeTag, type RandomBytes } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import type { Config } from "./settings/config-schema.ts";
import type { Logger } from "pino";
import { INSTANCE_NAME } from "./log/logger.ts";
import { VERSION } from "./version.ts";

export type NoticePosting = ReturnType<typeof createNoticePosting>;

interface NoticePostingDeps {
  config: Config;
  baseUrl: string;
  store: Store;
  resolver: Resolver;
  now: () => number;
  randomBytes: RandomBytes;
  logger: Logger;
  fault(where: string, error: unknown): void;
}

/** The operator set it, so it may be anywhere. Redirects are not followed. */
const ANYWHERE = parseAllowList("0.0.0.0/0,::/0");

/** Posts notices to the address of the setting. Does nothing without one, or in a dry run. */
export function createNoticePosting(deps: NoticePostingDeps) {
  const { config, store, now, logger } = deps;
  const { noticesUrl: url, noticesSecret: secret } = config;
  // A staging copy must not post to the real marketplace.
  if (url === null || secret === null || config.dryRun) {
    return { view: async () => null, start() {}, async stop() {} };
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
  const poster = createNoticePoster({
    store,
    sender,
    url,
    secret,
    profile: {
      serviceName: config.serviceName,
      userAgent: `Markethook/${VERSION} (+${config.publicUrl ?? deps.baseUrl})`,
    },
    // In containers two instances may have the same name.
    holder: `${INSTANCE_NAME}:${makeTag(deps.randomBytes)}`,
    wallNow: Date.now,
    random: Math.random,
    randomBytes: deps.randomBytes,
    attemptTimeoutMs: config.attemptTimeout,
    failed: (failure) => logger.warn({ ...failure, host }, "notice was not taken"),
    fault: (error) => deps.fault("notices", error),
  });
  return {
    /** Null: notices are not posted. */
    async view() {
      const lag = await store.noticePosts.lag();
      const failure = poster.failure();
      return {
        host,
        unposted: lag?.unposted ?? 0,
        oldestSeconds: Math.max(0, Math.floor((Date.now() - (lag?.oldestAt ?? Date.now())) / 1000)),
        /** Result of this instance's last try; null: it worked. */
        failure: failure === null ? null : `${failure.outcome} ${failure.status ?? ""}`.trimEnd(),
      };
    },
    start: () => poster.start(),
    async stop() {
      const stopped = poster.stop();
      // Ends an open request; the next holder posts the same notice again.
      sender.close();
      await stopped;
    },
  };
}

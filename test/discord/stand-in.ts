import { createServer, type IncomingMessage } from "node:http";
import { text as readText } from "node:stream/consumers";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { type Answer, limited, NOT_FOUND, OLD_VERSION, shutOut, WRONG_AGENT } from "./answers.ts";
import { channelPage } from "./channel-page.ts";
import { type Channel, createChannel, snowflake } from "./channels.ts";
import { Ban, type BanRule, Bucket, type Window } from "./rate-limits.ts";
import { answerWebhook } from "./webhook-routes.ts";

export interface StandInOptions {
  /** Of each webhook; shared by all who post with it. 5 in 2 s. */
  bucket?: Window;
  /** Of each sender's address. 50 in 1 s. */
  global?: Window;
  /** 10,000 invalid requests in 10 minutes shut the address out for an hour, in HTML. */
  ban?: Partial<BanRule>;
  /** Monotonic milliseconds, by which windows and bans end. */
  now?: () => number;
}

/** Discord's webhooks as far as documented, on loopback, without mercy for who breaks a rule. */
export interface DiscordStandIn {
  /** Without a slash at the end. */
  origin: string;
  channels: Map<string, Channel>;
  /** By `200`, `404 10015`, `429 user`, `429 global`, `shut out`. */
  answers: Map<string, number>;
  /** What a good client never does, and how often. */
  violations: Map<string, number>;
  /** Answers of 401, 403, 404 and 429; and the most of them within one window. */
  invalid: { total: number; most: number };
  /** An address has been shut out, even if that is over. */
  banned: boolean;
  addChannel(name?: string): Channel;
  addThread(channel: Channel): string;
  /** These answers come first, one per request, whatever is asked. */
  answerNext(...answers: Answer[]): void;
  /** Each request waits for this before it is answered. */
  hold: Promise<void> | null;
  /** Resolves as soon as it is so; asked after every answer. */
  waitFor(predicate: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const ROUTE = /^\/api(?:\/v(\d+))?\/webhooks\/(\d{17,20})\/([\w-]+)(?:\/messages\/(\d+))?$/;
const AGENT = /^DiscordBot \(https?:\/\/[^\s,()]+, [^\s,()]+\)/;

export async function startDiscord(options: StandInOptions = {}): Promise<DiscordStandIn> {
  const { now = () => performance.now() } = options;
  const bucketWindow = options.bucket ?? { limit: 5, perMs: 2_000 };
  const buckets = new Map<string, Bucket>();
  const senders = new Bucket(options.global ?? { limit: 50, perMs: 1_000 });
  const ban = new Ban({
    after: 10_000,
    windowMs: 600_000,
    forMs: 3_600_000,
    status: 429,
    ...options.ban,
  });
  const scripted: Answer[] = [];
  const waiting = new Set<{ predicate: () => boolean; resolve: () => void }>();
  const standIn: DiscordStandIn = {
    origin: "",
    channels: new Map(),
    answers: new Map(),
    violations: new Map(),
    invalid: { total: 0, most: 0 },
    banned: false,
    addChannel(name = "sales") {
      const channel = createChannel(name);
      standIn.channels.set(channel.id, channel);
      return channel;
    },
    addThread(channel) {
      const id = snowflake();
      channel.threads.add(id);
      return id;
    },
    answerNext: (...answers) => void scripted.push(...answers),
    hold: null,
    waitFor: (predicate) =>
      predicate()
        ? Promise.resolve()
        : new Promise((resolve) => waiting.add({ predicate, resolve })),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const count = (into: Map<string, number>, name: string): void => {
    into.set(name, (into.get(name) ?? 0) + 1);
  };
  const violation = (what: string): void => count(standIn.violations, what);

  const answer = (request: IncomingMessage, body: string): Answer => {
    const at = now();
    if (ban.active(at)) {
      violation("sent while shut out");
      return shutOut(ban.status, ban.secondsLeft(at));
    }
    if (!senders.take(at)) return limited("global", senders.state(at).resetAfterSeconds, {});
    const url = new URL(request.url ?? "", standIn.origin);
    const [, version = "6", id = "", token = "", messageId = null] = ROUTE.exec(url.pathname) ?? [];
    if (id === "") return NOT_FOUND;
    if (Number(version) < 6 || Number(version) > 10) return OLD_VERSION;
    if (!AGENT.test(request.headers["user-agent"] ?? "")) {
      violation("user agent");
      return WRONG_AGENT;
    }
    const next = scripted.shift();
    if (next !== undefined) return next;
    const bucket = buckets.get(id) ?? new Bucket(bucketWindow);
    buckets.set(id, bucket);
    const taken = bucket.take(at);
    const { limit, remaining, resetAfterSeconds } = bucket.state(at);
    const headers = {
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": String(remaining),
      "X-RateLimit-Reset": (Date.now() / 1000 + resetAfterSeconds).toFixed(3),
      "X-RateLimit-Reset-After": String(resetAfterSeconds),
      "X-RateLimit-Bucket": `bucket${id}`,
    };
    if (!taken) return limited("user", resetAfterSeconds, headers);
    const given = answerWebhook(
      standIn.channels.get(id),
      {
        method: request.method ?? "",
        token,
        messageId,
        query: url.searchParams,
        contentType: request.headers["content-type"] ?? "",
        body,
      },
      violation,
    );
    return { ...given, headers: { ...headers, ...given.headers } };
  };

  const tally = (given: Answer): void => {
    count(standIn.answers, nameOf(given));
    const shared = given.headers?.["X-RateLimit-Scope"] === "shared";
    if (![401, 403, 404, 429].includes(given.status) || shared) return;
    standIn.invalid.total += 1;
    if (!ban.active(now())) ban.note(now());
    standIn.invalid.most = ban.most;
    standIn.banned = ban.happened;
  };

  const server = createServer((request, response) => {
    if (request.method === "GET" && request.url === "/channels") {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(channelPage(standIn.channels.values()));
      return;
    }
    void (async () => {
      const body = await readText(request);
      const given = answer(request, body);
      tally(given);
      if (standIn.hold !== null) await standIn.hold;
      response.writeHead(given.status, {
        ...given.headers,
        ...(given.body === undefined
          ? {}
          : { "Content-Type": typeof given.body === "string" ? "text/html" : "application/json" }),
      });
      response.end(typeof given.body === "object" ? JSON.stringify(given.body) : given.body);
      for (const one of waiting) {
        if (!one.predicate()) continue;
        waiting.delete(one);
        one.resolve();
      }
    })().catch(() => request.destroy());
  });
  standIn.origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return standIn;
}

function nameOf({ status, headers, body }: Answer): string {
  if (typeof body === "string") return "shut out";
  const scope = headers?.["X-RateLimit-Scope"];
  if (scope !== undefined) return `${status} ${scope}`;
  // Errors name their code; messages have none.
  return body !== undefined && "code" in body ? `${status} ${String(body.code)}` : String(status);
}

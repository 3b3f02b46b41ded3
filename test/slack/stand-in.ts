import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { SlackMessage } from "@markethook/chat";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { Bucket, type Window } from "../discord/rate-limits.ts";
import { faultsOf } from "./message-rules.ts";

export interface Channel {
  /** As Slack shows it for copying. */
  url: string;
  token: string;
  name: string;
  messages: SlackMessage[];
  /** A state other than `usable` is what Slack says of it. */
  state: "usable" | keyof typeof STATUS;
}

/** By what Slack says is wrong. */
const STATUS = {
  action_prohibited: 403,
  channel_is_archived: 410,
  channel_not_found: 404,
  no_service: 404,
} as const;

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/** Slack's incoming webhooks as far as documented, on loopback, without mercy for who breaks a rule. */
export interface SlackStandIn {
  /** Without a slash at the end. */
  origin: string;
  channels: Channel[];
  /** By `200 ok`, `404 no_service`, `429 rate_limited`. */
  answers: Map<string, number>;
  /** What a good client never does. */
  violations: string[];
  addChannel(name?: string): Channel;
  /** These answers come first, one per request, whatever is asked. */
  answerNext(...answers: Answer[]): void;
  /** Resolves as soon as it is so; asked after every answer. */
  waitFor(predicate: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** `window`: of each webhook. */
export async function startSlack(
  window: Window = { limit: 10, perMs: 5_000 },
): Promise<SlackStandIn> {
  const buckets = new Map<string, Bucket>();
  const scripted: Answer[] = [];
  const waiting = new Set<{ predicate: () => boolean; resolve: () => void }>();
  const standIn: SlackStandIn = {
    origin: "",
    channels: [],
    answers: new Map(),
    violations: [],
    addChannel(name = "sales") {
      const id = `${standIn.channels.length}`.padStart(8, "0");
      const token = randomBytes(12).toString("hex");
      const url = `https://hooks.slack.com/services/T00000001/B${id}/${token}`;
      const channel: Channel = { url, token, name, messages: [], state: "usable" };
      standIn.channels.push(channel);
      return channel;
    },
    answerNext: (...answers) => void scripted.push(...answers),
    waitFor: (predicate) =>
      predicate()
        ? Promise.resolve()
        : new Promise((resolve) => waiting.add({ predicate, resolve })),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  const answer = ({ method, url: path = "", headers }: IncomingMessage, body: string): Answer => {
    const channel = standIn.channels.find(({ url, token }) => {
      const known = new URL(url).pathname.replace(token, "");
      return path.startsWith(known);
    });
    if (channel === undefined) return { status: 404, body: "no_service" };
    if (!path.endsWith(`/${channel.token}`)) return { status: 403, body: "invalid_token" };
    if (channel.state !== "usable") return { status: STATUS[channel.state], body: channel.state };
    const next = scripted.shift();
    if (next !== undefined) return next;
    const bucket = buckets.get(path) ?? new Bucket(window);
    buckets.set(path, bucket);
    if (!bucket.take(performance.now())) {
      return { status: 429, headers: { "Retry-After": "1" }, body: "rate_limited" };
    }
    if (method !== "POST" || headers["content-type"] !== "application/json") {
      standIn.violations.push(`${method} ${headers["content-type"]}`);
      return { status: 400, body: "invalid_payload" };
    }
    const message: unknown = JSON.parse(body);
    const faults = faultsOf(message);
    standIn.violations.push(...faults);
    if (faults.length > 0) return { status: 400, body: "invalid_blocks" };
    // Checked above.
    channel.messages.push(message as SlackMessage);
    return { status: 200, body: "ok" };
  };

  const server = createServer((request, response) => {
    if (request.url === "/channels") {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(channelPage(standIn.channels));
      return;
    }
    void (async () => {
      const { status, headers, body } = answer(request, await readText(request));
      const name = `${status} ${body}`;
      standIn.answers.set(name, (standIn.answers.get(name) ?? 0) + 1);
      response.writeHead(status, { ...headers, "Content-Type": "text/html" });
      response.end(body);
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

/** The channels as a browser shows them. */
function channelPage(channels: readonly Channel[]): string {
  const text = (value: string): string =>
    value.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
  const shown = channels.map(({ name, messages }) => {
    const articles = messages.map((message) => `<article>${text(message.text)}</article>`);
    return `<section aria-label="${text(name)}"><h2>#${text(name)}</h2>${articles.join("")}</section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Channels</title><h1>Channels</h1>${shown.join("")}</html>`;
}

import type { Client } from "pg";
import type { OrderPair } from "../port/deliveries.ts";
import type { SharedHint } from "../port/store.ts";
import { ServerClient } from "./choose-server.ts";

const CHANNEL = "markethook";
const QUIET_MS = 50;
const RECONNECT_MS = 1000;
/** A connection that was dropped without notice would otherwise be noticed after a quarter of an hour. */
const ANSWER_MS = 10_000;
/** NOTIFY carries at most 8,000 bytes. A poll finds the others. */
const MOST_NOS = 500;
const MOST_PAIRS = 200;
const MOST_EVENTS = 200;

/**
 * NOTIFY and LISTEN on a connection of its own. It only sends hints: every instance polls, so a lost connection costs
 * some time, and it is opened again without haste.
 *
 * closed --connect--> listening --error--> waiting a second --connect--> listening
 */
export class Hints {
  readonly #url: string;
  readonly #onHint: (hint: SharedHint) => void;
  #client: Client | null = null;
  /** The connection whose answer is awaited. */
  #busy: Client | null = null;
  #closed = false;
  #reconnect: NodeJS.Timeout | null = null;
  #flush: NodeJS.Timeout | null = null;
  #ready = false;
  readonly #nos = new Set<number>();
  readonly #pairs = new Map<string, OrderPair>();
  readonly #erasing = new Set<number>();

  constructor(url: string, onHint: (hint: SharedHint) => void) {
    this.#url = url;
    this.#onHint = onHint;
    void this.#connect();
  }

  /** Sent to other instances within 50 ms, outside of any transaction. */
  send(hint: SharedHint): void {
    if (hint.kind === "ready") this.#ready = true;
    else if (hint.kind === "webhooks") {
      for (const no of hint.nos) if (this.#nos.size < MOST_NOS) this.#nos.add(no);
    } else if (hint.kind === "erasing") {
      for (const seq of hint.eventSeqs)
        if (this.#erasing.size < MOST_EVENTS) this.#erasing.add(seq);
    } else {
      for (const pair of hint.pairs)
        if (this.#pairs.size < MOST_PAIRS)
          this.#pairs.set(`${pair.webhookNo} ${pair.orderKey}`, pair);
    }
    this.#flush ??= setTimeout(() => this.#flushNow(), QUIET_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#reconnect !== null) clearTimeout(this.#reconnect);
    if (this.#flush !== null) clearTimeout(this.#flush);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const next = new ServerClient({
      connectionString: this.#url,
      keepAlive: true,
      application_name: "markethook hints",
      query_timeout: ANSWER_MS,
    });
    next.on("error", () => this.#lost(next));
    next.on("end", () => this.#lost(next));
    next.on("notification", ({ payload }) => {
      const hint = parseHint(payload ?? "");
      if (hint !== null) this.#onHint(hint);
    });
    try {
      await next.connect();
      // A server can end sessions that have nothing to do for some minutes, and this one waits.
      await next.query(`set idle_session_timeout = 0; listen ${CHANNEL}`);
      if (this.#closed) await next.end();
      else {
        this.#client = next;
        this.#flushNow();
      }
    } catch {
      this.#lost(next);
    }
  }

  #lost(which: Client): void {
    if (this.#client === which) this.#client = null;
    which.end().catch(() => undefined);
    if (this.#closed || this.#reconnect !== null) return;
    this.#reconnect = setTimeout(() => {
      this.#reconnect = null;
      void this.#connect();
    }, RECONNECT_MS);
  }

  /** Without a connection they are kept until there is one, and while an answer is awaited for as long again. */
  #flushNow(): void {
    this.#flush = null;
    if (this.#client === null) return;
    if (this.#busy === this.#client) {
      this.#flush = setTimeout(() => this.#flushNow(), QUIET_MS);
      return;
    }
    const hints: SharedHint[] = [];
    if (this.#ready) hints.push({ kind: "ready" });
    if (this.#nos.size > 0) hints.push({ kind: "webhooks", nos: [...this.#nos] });
    if (this.#pairs.size > 0) hints.push({ kind: "blocked", pairs: [...this.#pairs.values()] });
    if (this.#erasing.size > 0) hints.push({ kind: "erasing", eventSeqs: [...this.#erasing] });
    if (hints.length === 0) return;
    this.#ready = false;
    this.#nos.clear();
    this.#pairs.clear();
    this.#erasing.clear();
    void this.#notify(this.#client, hints);
  }

  async #notify(by: Client, hints: readonly SharedHint[]): Promise<void> {
    const payloads = hints.map((hint) => JSON.stringify(toPayload(hint)));
    this.#busy = by;
    try {
      await by.query("select pg_notify($1, payload) from unnest($2::text[]) payload", [
        CHANNEL,
        payloads,
      ]);
    } catch {
      this.#lost(by);
    } finally {
      if (this.#busy === by) this.#busy = null;
    }
  }
}

/** Pairs without the names of their members, because an instance may tell of hundreds in a second. */
function toPayload(hint: SharedHint): unknown {
  if (hint.kind !== "blocked") return hint;
  return { kind: "blocked", pairs: hint.pairs.map((pair) => [pair.webhookNo, pair.orderKey]) };
}

/** Every client of the database may notify, so text that is not one of our hints is skipped. */
function parseHint(payload: string): SharedHint | null {
  try {
    const { kind, nos, pairs, eventSeqs } = JSON.parse(payload) as Record<string, unknown>;
    if (kind === "ready") return { kind };
    if (kind === "webhooks" && Array.isArray(nos))
      return { kind, nos: nos.filter(Number.isSafeInteger) };
    if (kind === "blocked" && Array.isArray(pairs)) return { kind, pairs: pairs.flatMap(toPair) };
    if (kind === "erasing" && Array.isArray(eventSeqs))
      return { kind, eventSeqs: eventSeqs.filter(Number.isSafeInteger) };
  } catch {
    // It is no JSON object.
  }
  return null;
}

function toPair(pair: unknown): OrderPair[] {
  if (!Array.isArray(pair) || !pair.every(Number.isSafeInteger)) return [];
  const [webhookNo, orderKey] = pair as number[];
  return webhookNo === undefined || orderKey === undefined ? [] : [{ webhookNo, orderKey }];
}

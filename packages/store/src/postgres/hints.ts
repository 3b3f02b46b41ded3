import type { Client } from "pg";
import type { OrderPair } from "../port/deliveries.ts";
import type { StoreHint } from "../port/store.ts";
import { ServerClient } from "./choose-server.ts";

const CHANNEL = "markethook";
const QUIET_MS = 50;
const RECONNECT_MS = 1000;
/** A connection that was dropped without notice would otherwise be noticed after a quarter of an hour. */
const ANSWER_MS = 10_000;
/** NOTIFY carries at most 8,000 bytes. What is left out is found by a poll. */
const MOST_NOS = 500;
const MOST_PAIRS = 200;

export interface Hints {
  /** Sent to other instances within 50 ms, outside of any transaction. */
  send(hint: StoreHint): void;
  close(): Promise<void>;
}

/**
 * NOTIFY and LISTEN on a connection of its own. It only sends hints: every instance polls, so a lost connection costs
 * some time, and it is opened again without haste.
 *
 * closed --connect--> listening --error--> waiting a second --connect--> listening
 */
export function openHints(url: string, onHint: (hint: StoreHint) => void): Hints {
  let client: Client | null = null;
  /** The connection whose answer is awaited. */
  let busy: Client | null = null;
  let closed = false;
  let reconnect: NodeJS.Timeout | null = null;
  let flush: NodeJS.Timeout | null = null;
  let ready = false;
  const nos = new Set<number>();
  const pairs = new Map<string, OrderPair>();

  async function connect(): Promise<void> {
    const next = new ServerClient({
      connectionString: url,
      keepAlive: true,
      application_name: "markethook hints",
      query_timeout: ANSWER_MS,
    });
    next.on("error", () => lost(next));
    next.on("end", () => lost(next));
    next.on("notification", ({ payload }) => {
      const hint = parseHint(payload ?? "");
      if (hint !== null) onHint(hint);
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      if (closed) await next.end();
      else {
        client = next;
        flushNow();
      }
    } catch {
      lost(next);
    }
  }

  function lost(which: Client): void {
    if (client === which) client = null;
    which.end().catch(() => undefined);
    if (closed || reconnect !== null) return;
    reconnect = setTimeout(() => {
      reconnect = null;
      void connect();
    }, RECONNECT_MS);
  }

  /** Without a connection they are kept until there is one, and while an answer is awaited for as long again. */
  function flushNow(): void {
    flush = null;
    if (client === null) return;
    if (busy === client) {
      flush = setTimeout(flushNow, QUIET_MS);
      return;
    }
    const hints: StoreHint[] = [];
    if (ready) hints.push({ kind: "ready" });
    if (nos.size > 0) hints.push({ kind: "webhooks", nos: [...nos] });
    if (pairs.size > 0) hints.push({ kind: "blocked", pairs: [...pairs.values()] });
    if (hints.length === 0) return;
    ready = false;
    nos.clear();
    pairs.clear();
    void notify(client, hints);
  }

  async function notify(by: Client, hints: readonly StoreHint[]): Promise<void> {
    const payloads = hints.map((hint) => JSON.stringify(toPayload(hint)));
    busy = by;
    try {
      await by.query("select pg_notify($1, payload) from unnest($2::text[]) payload", [
        CHANNEL,
        payloads,
      ]);
    } catch {
      lost(by);
    } finally {
      if (busy === by) busy = null;
    }
  }

  void connect();
  return {
    send(hint) {
      if (hint.kind === "ready") ready = true;
      else if (hint.kind === "webhooks") {
        for (const no of hint.nos) if (nos.size < MOST_NOS) nos.add(no);
      } else {
        for (const pair of hint.pairs) {
          if (pairs.size < MOST_PAIRS) pairs.set(`${pair.webhookNo} ${pair.orderKey}`, pair);
        }
      }
      flush ??= setTimeout(flushNow, QUIET_MS);
    },
    async close() {
      closed = true;
      if (reconnect !== null) clearTimeout(reconnect);
      if (flush !== null) clearTimeout(flush);
      await client?.end().catch(() => undefined);
    },
  };
}

/** Pairs without the names of their members, because an instance may tell of hundreds in a second. */
function toPayload(hint: StoreHint): unknown {
  if (hint.kind !== "blocked") return hint;
  return { kind: "blocked", pairs: hint.pairs.map((pair) => [pair.webhookNo, pair.orderKey]) };
}

/** Every client of the database may notify, so text that is not one of our hints is skipped. */
function parseHint(payload: string): StoreHint | null {
  try {
    const hint = JSON.parse(payload) as { kind?: unknown; nos?: unknown; pairs?: unknown } | null;
    switch (hint?.kind) {
      case "ready":
        return { kind: "ready" };
      case "webhooks":
        return Array.isArray(hint.nos)
          ? { kind: "webhooks", nos: hint.nos.filter(Number.isSafeInteger) }
          : null;
      case "blocked":
        return Array.isArray(hint.pairs)
          ? { kind: "blocked", pairs: hint.pairs.flatMap(toPair) }
          : null;
      default:
        return null;
    }
  } catch {
    return null;
  }
}

function toPair(pair: unknown): OrderPair[] {
  if (!Array.isArray(pair) || !pair.every(Number.isSafeInteger)) return [];
  const [webhookNo, orderKey] = pair as number[];
  return webhookNo === undefined || orderKey === undefined ? [] : [{ webhookNo, orderKey }];
}

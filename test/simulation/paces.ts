import { DEFAULT_SETTINGS } from "@markethook/dispatcher";
import type { Backend } from "./backend.ts";
import type { Database } from "./database.ts";
import type { Machine } from "./machine.ts";
import type { Shape } from "./plan.ts";
import { CHANNEL_MS } from "./receivers.ts";

const SECOND = 1000;
/** A webhook that was read a moment ago is as it was then. */
const READ_AGO_MS = 3 * SECOND;
/** Timers are not exact, so a little may be made up for. */
const MADE_UP_FOR = 1;
/** A platform's seconds, in milliseconds. */
const ROUNDED_MS = 2;

/** Judges how fast requests come to a host that never answered well, and to a webhook that has failed for long. */
export class Paces {
  readonly #shape: Shape;
  readonly #backend: Backend;
  readonly #database: Database;
  readonly #isCalm: (now: number) => boolean;
  readonly #proven = new Set<string>();
  /** Times of the last second: by host of all instances, by webhook of each. */
  readonly #toHost = new Map<string, number[]>();
  readonly #toWebhook = new Map<string, number[]>();
  /** By process and channel. */
  readonly #toldToWait = new Map<string, { from: number; until: number }>();
  readonly #firstMessageOf = new Map<string, number>();

  /** @param isCalm Whether instances can have counted each other: they divide the rate to a host. */
  constructor(
    shape: Shape,
    backend: Backend,
    database: Database,
    isCalm: (now: number) => boolean,
  ) {
    this.#database = database;
    this.#isCalm = isCalm;
    this.#shape = shape;
    this.#backend = backend;
  }

  /** A request is dialled. Returns what is wrong: its kind and a text. */
  dialled(
    machine: Machine,
    { seq, webhookNo }: { seq: number; webhookNo: number },
    now: number,
  ): [string, string][] {
    const { gated, slowStart, instances, receivers } = this.#shape;
    const wrong: [string, string][] = [];
    const host = receivers[webhookNo - 1]?.host ?? "";
    // Each instance may send one, also where there are more instances than that.
    const most = DEFAULT_SETTINGS.unconfirmedPerSecond + instances;
    const toHost = inLastSecond(this.#toHost, host, now);
    if (gated && !this.#proven.has(host) && toHost > most && this.#isCalm(now)) {
      wrong.push(["flooded", `${host}, which never answered well, got ${toHost} in a second`]);
    }
    const since = this.#backend.failingSince(webhookNo);
    // A machine whose clocks both stood still believes what it read before.
    const believes = now - machine.wokenUnawareAt < READ_AGO_MS;
    const { clockAheadMs } = this.#database;
    const failingMs = since === null ? 0 : this.#backend.now() - since - clockAheadMs;
    const isLong = failingMs > slowStart.afterMs + READ_AGO_MS && !believes;
    // Poison suspects that passed the gate in turn leave together, once their marks are stored.
    if (!this.#isCalm(now) && this.#backend.suspicionOf(seq) > 0) return wrong;
    const toWebhook = inLastSecond(this.#toWebhook, `${machine.name} ${webhookNo}`, now);
    if (isLong && toWebhook > slowStart.perSecond + MADE_UP_FOR) {
      const text = `${machine.name} sent webhook ${webhookNo} ${toWebhook} in a second`;
      wrong.push(["too fast after an outage", text]);
    }
    return wrong;
  }

  /** A process has let a message to a channel go. */
  chatBegan({ name }: Machine, channel: string, at: number): string | null {
    if (!this.#firstMessageOf.has(name)) this.#firstMessageOf.set(name, at);
    const told = this.#toldToWait.get(`${name} ${channel}`);
    if (told === undefined || at <= told.from || at >= told.until - ROUNDED_MS) return null;
    return `${name} was told to leave channel ${channel} alone until ${Math.round(told.until)} ms`;
  }

  chatTold({ name }: Machine, channel: string, times: { from: number; until: number }): void {
    this.#toldToWait.set(`${name} ${channel}`, times);
  }

  /** A process that knows all that the channel gets, by a clock that is not too fast, never sends it too much. */
  channelFull({ name, rate }: Machine, channel: string, now: number): string | null {
    const since = this.#firstMessageOf.get(name) ?? now;
    const knows = this.#shape.instances === 1 && rate <= 1 && now - since > CHANNEL_MS;
    return knows ? `${name} filled channel ${channel}` : null;
  }

  answeredWell(webhookNo: number): void {
    this.#proven.add(this.#shape.receivers[webhookNo - 1]?.host ?? "");
  }
}

/** Counts this one too. */
function inLastSecond(times: Map<string, number[]>, key: string, now: number): number {
  const recent = (times.get(key) ?? []).filter((at) => at > now - SECOND);
  recent.push(now);
  times.set(key, recent);
  return recent.length;
}

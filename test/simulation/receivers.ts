import type { Choices } from "./choices.ts";
import type { Manner, ReceiverPlan } from "./plan.ts";

/** What a receiver does with one request. */
export interface Reaction {
  /** Until its answer leaves; infinite: never. */
  ms: number;
  status: number | null;
  /** Without an answer: how the connection ends. */
  category: "connection_refused" | "connection_reset" | null;
  headers: [string, string][];
  body?: string;
}

const OK = { category: null, headers: [] };
const FLAPS_MS = 20_000;
/** What a channel takes, and in which time. */
const CHANNEL_LIMIT = 5;
export const CHANNEL_MS = 2000;

/** Receivers as seed and time decide them. Once the world is quiet, all answer well. */
export class Receivers {
  quiet = false;
  readonly #plans: readonly ReceiverPlan[];
  readonly #random: Choices;
  readonly #out = new Map<string, { hangs: boolean }>();
  readonly #channels = new Map<string, { count: number; resetAt: number }>();

  constructor(plans: readonly ReceiverPlan[], random: Choices) {
    this.#plans = plans;
    this.#random = random;
  }

  plan(webhookNo: number): ReceiverPlan {
    const plan = this.#plans[webhookNo - 1];
    if (plan === undefined) throw new Error(`there is no webhook ${webhookNo}`);
    return plan;
  }

  get hosts(): string[] {
    return [...new Set(this.#plans.map(({ host }) => host))];
  }

  addressOf(host: string): string | null {
    return this.#plans.find((plan) => plan.host === host)?.address ?? null;
  }

  goOut(hosts: readonly string[], hangs: boolean): void {
    for (const host of hosts) this.#out.set(host, { hangs });
  }

  comeBack(hosts: readonly string[]): void {
    for (const host of hosts) this.#out.delete(host);
  }

  /** Answers well and soon, whatever the seed does to others. */
  isGood(webhookNo: number): boolean {
    const { manner } = this.plan(webhookNo);
    return manner === "fast" || manner === "usual" || manner === "channel";
  }

  react(webhookNo: number, now: number): Reaction {
    const { host, manner, channel } = this.plan(webhookNo);
    const out = this.#out.get(host);
    if (out !== undefined) {
      return out.hangs
        ? { ms: Infinity, status: null, category: null, headers: [] }
        : { ms: 1, status: null, category: "connection_refused", headers: [] };
    }
    return channel === undefined ? this.#answer(manner, now) : this.#count(channel, now);
  }

  /** As Discord does: so many in each window, which begins with its first request. */
  #count(channel: string, now: number): Reaction {
    let window = this.#channels.get(channel);
    if (window === undefined || now >= window.resetAt) {
      window = { count: 0, resetAt: now + CHANNEL_MS };
      this.#channels.set(channel, window);
    }
    window.count += 1;
    const seconds = Math.ceil(window.resetAt - now) / 1000;
    const headers: [string, string][] = [
      ["x-ratelimit-limit", String(CHANNEL_LIMIT)],
      ["x-ratelimit-remaining", String(Math.max(0, CHANNEL_LIMIT - window.count))],
      ["x-ratelimit-reset-after", String(seconds)],
    ];
    const ms = this.#random.between(10, 80);
    if (window.count <= CHANNEL_LIMIT) return { ms, status: 204, category: null, headers };
    const body = JSON.stringify({ message: "slow down", retry_after: seconds, global: false });
    return { ms, status: 429, category: null, headers, body };
  }

  #answer(manner: Manner, now: number): Reaction {
    const random = this.#random;
    const usual = { ms: random.between(10, 80), status: 200, ...OK };
    if (this.quiet) return manner === "slow" ? { ...usual, ms: random.between(500, 1000) } : usual;
    switch (manner) {
      case "fast":
        return { ...usual, ms: random.between(1, 8) };
      case "usual":
      case "channel":
        return usual;
      case "slow":
        return { ...usual, ms: random.between(500, 1000) };
      case "hanging":
        return { ...usual, ms: random.chance(0.9) ? Infinity : 20_000 };
      case "flapping":
        return Math.floor(now / FLAPS_MS) % 2 === 0 ? usual : { ...usual, status: 503 };
      case "failing":
        return { ...usual, status: random.pick([500, 502, 404, 301]) };
      case "refusing":
        return { ms: 1, status: null, category: "connection_refused", headers: [] };
      case "resetting":
        return random.chance(0.7)
          ? usual
          : { ms: 5, status: null, category: "connection_reset", headers: [] };
      case "throttling":
        return random.chance(0.8)
          ? usual
          : { ...usual, status: 429, headers: [["retry-after", String(random.whole(1, 5))]] };
    }
  }
}

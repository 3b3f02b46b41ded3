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
}

const OK = { category: null, headers: [] };
const FLAPS_MS = 20_000;

/** Receivers as seed and time decide them. Once the world is quiet, all answer well. */
export class Receivers {
  quiet = false;
  readonly #plans: readonly ReceiverPlan[];
  readonly #random: Choices;
  readonly #out = new Map<string, { hangs: boolean }>();

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
    return manner === "fast" || manner === "usual";
  }

  react(webhookNo: number, now: number): Reaction {
    const { host, manner } = this.plan(webhookNo);
    const out = this.#out.get(host);
    if (out !== undefined) {
      return out.hangs
        ? { ms: Infinity, status: null, category: null, headers: [] }
        : { ms: 1, status: null, category: "connection_refused", headers: [] };
    }
    return this.#answer(manner, now);
  }

  #answer(manner: Manner, now: number): Reaction {
    const random = this.#random;
    const usual = { ms: random.between(10, 80), status: 200, ...OK };
    if (this.quiet) return manner === "slow" ? { ...usual, ms: random.between(500, 1000) } : usual;
    switch (manner) {
      case "fast":
        return { ...usual, ms: random.between(1, 8) };
      case "usual":
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

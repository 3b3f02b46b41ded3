import type { ChatAnswer } from "@markethook/chat";
import type { SendableWebhook } from "@markethook/store";
import type { Gate, GateWait } from "../gates/gate.ts";
import { ChatBucket } from "./chat-bucket.ts";
import { ChatRate } from "./chat-rate.ts";
import type { ChatRoutes } from "./chat-route.ts";
import { InvalidBudget, type InvalidBudgetOptions } from "./invalid-budget.ts";

export interface ChatPaceOptions {
  routes: ChatRoutes;
  /** Monotonic milliseconds. */
  now: () => number;
  perSecond: number;
  budget: InvalidBudgetOptions;
  /** What waits under this key may be looked at again. */
  wake(key: string): void;
  /** Sending to chats pauses for this long. */
  paused(ms: number): void;
}

const EVERYTHING = "chat: everything";
const BUDGET = "chat: invalid answers";
const MOST_BUCKETS = 20_000;
const PING_LOOKS_MS = 25;
/** A webhook that is gone is being disabled; until that is stored, nothing more goes there. */
const GONE_MS = 2000;
const GONE = new Set<ChatAnswer["outcome"]>([
  "webhook_deleted",
  "webhook_token",
  "webhook_forbidden",
]);

/**
 * Before a request to a chat may go: the budget of invalid answers has room for it and for all that are in flight;
 * the platform has not told everybody to wait; its own bucket has room; and the rate over all of them allows it.
 */
export class ChatPace implements Gate {
  readonly #options: ChatPaceOptions;
  readonly #buckets = new Map<string, ChatBucket>();
  readonly #rate: ChatRate;
  readonly #budget: InvalidBudget;
  #inFlight = 0;
  #everybodyUntil = 0;

  constructor(options: ChatPaceOptions) {
    this.#options = options;
    this.#rate = new ChatRate(options.perSecond, options.now());
    this.#budget = new InvalidBudget(options.budget);
  }

  wait(webhook: SendableWebhook): GateWait | null {
    const key = this.#keyOf(webhook);
    if (key === null) return null;
    const now = this.#options.now();
    for (const one of [BUDGET, EVERYTHING, key]) {
      const { room, until } = this.#lookAt(one, now);
      if (room < 1) return { gate: this, key: one, until };
    }
    return null;
  }

  enter(webhook: SendableWebhook): void {
    const key = this.#keyOf(webhook);
    if (key === null) return;
    this.#inFlight += 1;
    this.#rate.take();
    this.#bucket(key).enter();
  }

  leave(webhook: SendableWebhook, sent: boolean): void {
    const key = this.#keyOf(webhook);
    if (key === null) return;
    this.#inFlight -= 1;
    if (!sent) this.#rate.giveBack();
    this.#bucket(key).leave();
    this.#options.wake(key);
    this.#options.wake(BUDGET);
  }

  look(key: string): { room: number; until: number } {
    return this.#lookAt(key, this.#options.now());
  }

  /** Before `leave`. */
  answered(webhook: SendableWebhook, answer: ChatAnswer): void {
    const key = this.#keyOf(webhook);
    if (key === null) return;
    const now = this.#options.now();
    const bucket = this.#bucket(key);
    if (answer.pace !== null) bucket.learn(answer.pace, now);
    if (answer.retryAfterMs !== null) {
      const until = now + answer.retryAfterMs;
      if (answer.global) this.#everybodyUntil = Math.max(this.#everybodyUntil, until);
      else bucket.block(until);
    }
    if (GONE.has(answer.outcome)) bucket.block(now + GONE_MS);
    if (answer.invalid && this.#budget.add(now)) {
      this.#options.paused(this.#budget.pausedUntil(now) - now);
    }
  }

  /** For a ping: waits for its turn before the queue does, and enters. False: it did not come in time. */
  async turn(webhook: SendableWebhook, withinMs: number): Promise<boolean> {
    const key = this.#keyOf(webhook);
    if (key === null) return true;
    const { now } = this.#options;
    const end = now() + withinMs;
    const bucket = this.#bucket(key);
    bucket.pings += 1;
    try {
      for (;;) {
        if (this.#mayPing(bucket, now())) {
          this.enter(webhook);
          return true;
        }
        if (now() >= end) return false;
        await new Promise((resolve) => setTimeout(resolve, PING_LOOKS_MS));
      }
    } finally {
      bucket.pings -= 1;
      this.#options.wake(key);
    }
  }

  #mayPing(bucket: ChatBucket, now: number): boolean {
    return (
      this.#budget.room(now) > this.#inFlight &&
      now >= this.#everybodyUntil &&
      this.#rate.mayBorrow(now) &&
      bucket.room(now) > 0
    );
  }

  #lookAt(key: string, now: number): { room: number; until: number } {
    if (key === BUDGET) {
      const until = this.#budget.pausedUntil(now);
      if (until > now) return { room: 0, until };
      return { room: this.#budget.room(now) - this.#inFlight, until: Infinity };
    }
    if (key === EVERYTHING) {
      if (now < this.#everybodyUntil) return { room: 0, until: this.#everybodyUntil };
      return { room: this.#rate.room(now), until: this.#rate.until(now) };
    }
    const bucket = this.#bucket(key);
    return { room: bucket.pings > 0 ? 0 : bucket.room(now), until: bucket.until(now) };
  }

  #keyOf(webhook: SendableWebhook): string | null {
    if (webhook.chat === null) return null;
    return this.#options.routes(webhook)?.target.paceKey ?? null;
  }

  #bucket(key: string): ChatBucket {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      if (this.#buckets.size >= MOST_BUCKETS) this.#forgetIdle();
      bucket = new ChatBucket();
      this.#buckets.set(key, bucket);
    }
    return bucket;
  }

  #forgetIdle(): void {
    const now = this.#options.now();
    for (const [key, bucket] of this.#buckets) if (bucket.isIdle(now)) this.#buckets.delete(key);
  }
}

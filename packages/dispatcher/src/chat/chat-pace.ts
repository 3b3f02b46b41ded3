import type { ChatAnswer } from "@markethook/chat";
import type { SendableWebhook } from "@markethook/store";
import type { Gate } from "../gates/gate.ts";
import { Place } from "../queue/place.ts";
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
  /** There may be room again in this place. */
  wake(place: Place): void;
  /** Sending to chats pauses for this long. */
  paused(ms: number): void;
}

const MOST_BUCKETS = 20_000;
const PING_LOOKS_MS = 25;
/** A webhook that is gone is being disabled; until that is stored, nothing more goes there. */
const GONE_MS = 2000;
const GONE = new Set<ChatAnswer["outcome"]>([
  "webhook_deleted",
  "webhook_token",
  "webhook_forbidden",
]);

/** Room for requests that could all be answered as invalid, next to those that were. */
class BudgetPlace extends Place {
  readonly budget: InvalidBudget;
  inFlight = 0;

  constructor(options: InvalidBudgetOptions) {
    super("chat-budget", "chats, after too many refused requests");
    this.budget = new InvalidBudget(options);
  }

  override room(now: number): number {
    return this.budget.pausedUntil(now) > now ? 0 : this.budget.room(now) - this.inFlight;
  }

  override until(now: number): number {
    const until = this.budget.pausedUntil(now);
    return until > now ? until : Infinity;
  }
}

/** The rate over all chats, and the platform's word that everybody has to wait. */
class PlatformPlace extends Place {
  readonly rate: ChatRate;
  blockedUntil = 0;

  constructor(perSecond: number, now: number) {
    super("chat-platform", "the pace of all chats");
    this.rate = new ChatRate(perSecond, now);
  }

  override room(now: number): number {
    return now < this.blockedUntil ? 0 : this.rate.room(now);
  }

  override until(now: number): number {
    return now < this.blockedUntil ? this.blockedUntil : this.rate.until(now);
  }
}

/**
 * Before a request to a chat may go: the budget of invalid answers has room for it and for all that are in flight;
 * the platform has not told everybody to wait; its own bucket has room; and the rate over all of them allows it.
 */
export class ChatPace implements Gate {
  readonly #options: ChatPaceOptions;
  readonly #buckets = new Map<string, ChatBucket>();
  readonly #platform: PlatformPlace;
  readonly #budget: BudgetPlace;

  constructor(options: ChatPaceOptions) {
    this.#options = options;
    this.#platform = new PlatformPlace(options.perSecond, options.now());
    this.#budget = new BudgetPlace(options.budget);
  }

  wait(webhook: SendableWebhook): Place | null {
    const key = this.#keyOf(webhook);
    if (key === null) return null;
    const now = this.#options.now();
    if (this.#budget.isFull(now)) return this.#budget;
    if (this.#platform.isFull(now)) return this.#platform;
    const bucket = this.#bucket(key);
    return bucket.isFull(now) ? bucket : null;
  }

  enter(webhook: SendableWebhook): void {
    const key = this.#keyOf(webhook);
    if (key === null) return;
    this.#budget.inFlight += 1;
    this.#platform.rate.take();
    this.#bucket(key).enter();
  }

  leave(webhook: SendableWebhook, sent: boolean): void {
    const key = this.#keyOf(webhook);
    if (key === null) return;
    this.#budget.inFlight -= 1;
    if (!sent) this.#platform.rate.giveBack();
    const bucket = this.#bucket(key);
    bucket.leave();
    this.#options.wake(bucket);
    this.#options.wake(this.#budget);
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
      if (answer.global) {
        this.#platform.blockedUntil = Math.max(this.#platform.blockedUntil, until);
      } else bucket.block(until);
    }
    if (GONE.has(answer.outcome)) bucket.block(now + GONE_MS);
    const { budget } = this.#budget;
    if (answer.invalid && budget.add(now)) this.#options.paused(budget.pausedUntil(now) - now);
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
      this.#options.wake(bucket);
    }
  }

  #mayPing(bucket: ChatBucket, now: number): boolean {
    return (
      this.#budget.budget.room(now) > this.#budget.inFlight &&
      now >= this.#platform.blockedUntil &&
      this.#platform.rate.mayBorrow(now) &&
      bucket.roomForPing(now) > 0
    );
  }

  #keyOf(webhook: SendableWebhook): string | null {
    if (webhook.chat === null) return null;
    return this.#options.routes(webhook)?.target.paceKey ?? null;
  }

  #bucket(key: string): ChatBucket {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      if (this.#buckets.size >= MOST_BUCKETS) this.#forgetIdle();
      bucket = new ChatBucket("chat-address", key);
      this.#buckets.set(key, bucket);
    }
    return bucket;
  }

  #forgetIdle(): void {
    const now = this.#options.now();
    for (const [key, bucket] of this.#buckets) if (bucket.isIdle(now)) this.#buckets.delete(key);
  }
}

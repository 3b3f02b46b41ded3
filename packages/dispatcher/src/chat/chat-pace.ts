import type { ChatAnswer, ChatFormat, ChatLimits, ChatTarget } from "@markethook/chat";
import type { SendableWebhook } from "@markethook/store";
import type { Gate } from "../gates/gate.ts";
import type { InstanceCount } from "../gates/instance-count.ts";
import { type Place, placeIn } from "../queue/place.ts";
import { ChatBucket } from "./chat-bucket.ts";
import { ChatRate } from "./chat-rate.ts";
import type { ChatRoutes } from "./chat-route.ts";
import { InvalidBudget } from "./invalid-budget.ts";

export interface ChatPaceOptions {
  routes: ChatRoutes;
  now: () => number;
  /** They divide the limits, because platforms limit all of them together. */
  instances: Pick<InstanceCount, "current" | "latest" | "partOf">;
  limitsOf(format: ChatFormat): ChatLimits;
  /** Called when there may be room again at a place. */
  wake(place: Place): void;
  /** Sending to a platform pauses for this long, because it gave so many invalid answers. */
  paused(ms: number, answers: number): void;
}

const MOST_BUCKETS = 20_000;
const MOST_SHARES = 20_000;
/** Part of a platform's invalid answers that one owner's webhooks may take. The rest stays for all others. */
const OWNER_PART = 0.25;
const PING_LOOKS_MS = 25;
/** Time until a webhook that is gone is stored as disabled; meanwhile nothing more is sent to it. */
const GONE_MS = 2000;
const GONE = new Set<ChatAnswer["outcome"]>([
  "webhook_deleted",
  "webhook_token",
  "webhook_forbidden",
]);

interface Platform {
  limits: ChatLimits;
  rate: ChatRate;
  budget: InvalidBudget;
  /** The parts of the budget, by owner. */
  shares: Map<string, InvalidBudget>;
}

interface Chat extends Platform {
  share: InvalidBudget;
  bucket: ChatBucket;
}

/**
 * A request to a chat needs five things: the platform's budget of invalid answers, and its owner's share of that, have
 * room for it and for all open ones; the platform has not told all chats to wait; the chat's own bucket has room; and the
 * rate over all chats of the platform allows it.
 */
export class ChatPace implements Gate {
  readonly reasons = ["chat-budget", "chat-platform", "chat-address"] as const;
  readonly #options: ChatPaceOptions;
  readonly #platforms = new Map<ChatFormat, Platform>();
  /** By the whole address: anyone may enter one with the same id and a token that does not fit. */
  readonly #buckets = new Map<string, ChatBucket>();

  constructor(options: ChatPaceOptions) {
    this.#options = options;
  }

  wait(webhook: SendableWebhook): Place | null {
    const chat = this.#of(webhook);
    if (chat === null) return null;
    const now = this.#options.now();
    const { share, budget, rate, bucket } = chat;
    return [share, budget, rate, bucket].find((place) => place.isFull(now)) ?? null;
  }

  enter(webhook: SendableWebhook): void {
    const chat = this.#of(webhook);
    if (chat === null) return;
    chat.budget.inFlight += 1;
    chat.share.inFlight += 1;
    chat.rate.take();
    chat.bucket.enter();
  }

  leave(webhook: SendableWebhook, sent: boolean): void {
    const chat = this.#of(webhook);
    if (chat === null) return;
    chat.budget.inFlight -= 1;
    chat.share.inFlight -= 1;
    if (!sent) chat.rate.giveBack();
    chat.bucket.leave(sent, this.#options.now());
    this.#options.wake(chat.bucket);
    this.#options.wake(chat.share);
    this.#options.wake(chat.budget);
  }

  /** Call before `leave`. */
  answered(webhook: SendableWebhook, answer: ChatAnswer): void {
    const chat = this.#of(webhook);
    if (chat === null) return;
    const now = this.#options.now();
    const { bucket, rate, budget, share } = chat;
    if (answer.pace !== null) bucket.learn(answer.pace, now);
    if (answer.retryAfterMs !== null) {
      const until = now + answer.retryAfterMs;
      if (answer.global) rate.blockedUntil = Math.max(rate.blockedUntil, until);
      else bucket.block(until);
    }
    if (GONE.has(answer.outcome)) bucket.block(now + GONE_MS);
    if (!answer.invalid) return;
    share.add(now);
    if (budget.add(now)) this.#options.paused(budget.pausedUntil(now) - now, budget.answers);
  }

  /** For a ping: waits for its turn ahead of the queue, and enters. Returns false if it did not come in time. */
  async turn(webhook: SendableWebhook, withinMs: number): Promise<boolean> {
    const chat = this.#of(webhook);
    if (chat === null) return true;
    const { now } = this.#options;
    const end = now() + withinMs;
    const { bucket } = chat;
    bucket.pings += 1;
    try {
      for (;;) {
        if (mayPing(chat, now())) {
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

  #of(webhook: SendableWebhook): Chat | null {
    if (webhook.chat === null) return null;
    const route = this.#options.routes(webhook);
    if (route === null) return null;
    const platform = this.#platform(route.format);
    return {
      ...platform,
      share: this.#share(platform, route.format, webhook.ownerId),
      bucket: this.#bucket(route.target, platform.limits),
    };
  }

  #platform(format: ChatFormat): Platform {
    let platform = this.#platforms.get(format);
    if (platform === undefined) {
      const { now, instances, limitsOf } = this.#options;
      const limits = limitsOf(format);
      platform = {
        limits,
        rate: new ChatRate(format.label, limits, instances, now()),
        budget: new InvalidBudget(format.label, limits.invalid, instances),
        shares: new Map(),
      };
      this.#platforms.set(format, platform);
    }
    return platform;
  }

  #share({ limits, shares }: Platform, { label }: ChatFormat, ownerId: string): InvalidBudget {
    return placeIn(shares, ownerId, () => {
      if (shares.size >= MOST_SHARES) this.#forgetIdle(shares);
      const answers = Math.ceil(limits.invalid.answers * OWNER_PART);
      const share = { ...limits.invalid, answers };
      return new InvalidBudget(`${label} for one owner`, share, this.#options.instances);
    });
  }

  #bucket({ url, shownUrl }: ChatTarget, { perAddress }: ChatLimits): ChatBucket {
    return placeIn(this.#buckets, url, () => {
      if (this.#buckets.size >= MOST_BUCKETS) this.#forgetIdle(this.#buckets);
      return new ChatBucket(shownUrl, perAddress, this.#options.instances);
    });
  }

  #forgetIdle(places: Map<string, ChatBucket | InvalidBudget>): void {
    const now = this.#options.now();
    for (const [key, place] of places) if (place.isIdle(now)) places.delete(key);
  }
}

function mayPing({ budget, share, rate, bucket }: Chat, now: number): boolean {
  const mayBeRefused = share.room(now) > 0 && budget.room(now) > 0;
  return mayBeRefused && rate.mayBorrow(now) && bucket.roomForPing(now) > 0;
}

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { deliveryId, eventId, makeTag } from "@markethook/protocol";
import type {
  AcceptItem,
  AttemptDetail,
  DisableRule,
  HealthSignal,
  QueuedDelivery,
  SettlementNext,
  Store,
} from "@markethook/store";
import { START_MS } from "./test-app.ts";

/** No webhook is disabled by the few attempts of a test. */
const RULE: DisableRule = {
  afterMs: Infinity,
  acceptedWithinMs: Infinity,
  attempts: Infinity,
  events: Infinity,
  probeAfterMs: Infinity,
};

const DETAIL: AttemptDetail = {
  at: START_MS,
  profile: 1,
  url: "https://receiver.example/hook",
  nonce: "n".repeat(16),
  timestamp: 1_767_323_045,
  signature: "5".repeat(64),
  timings: { dnsMs: null, connectMs: 1, tlsMs: 2, firstByteMs: 3, totalMs: 4 },
  headers: [["Content-Type", "text/plain"]],
  body: "no",
  operatorDetail: "peer 192.0.2.1",
};

/** A delivery that is on its way. */
export interface SentDelivery extends QueuedDelivery {
  id: string;
  eventId: string;
}

interface Answer {
  outcome: string;
  status: number;
  detail?: AttemptDetail;
}

const REFUSED: Answer = { outcome: "http_error", status: 500 };
const TAKEN: Answer = { outcome: "ok", status: 200 };

export function purchase(
  resourceId: string,
  userId: number,
  change: Partial<AcceptItem> = {},
): AcceptItem {
  return {
    resourceId,
    name: "product.user.purchase",
    time: 1_767_323_000,
    tag: makeTag(randomBytes),
    userId,
    ...change,
  };
}

/** Does with a store what senders do, so that tests have deliveries of each state. It sends nothing. */
export class TestSender {
  readonly #store: Store;
  #instanceNo: number | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Stores an event of one webhook; its delivery is left to wait. Returns the delivery's id. */
  async report(item: AcceptItem): Promise<string> {
    await this.#accept(item);
    const page = { beforeSeq: null, limit: 1 };
    const { items } = await this.#store.log.list({ ownerId: null }, page);
    return items[0]?.deliveryId ?? assert.fail("there is no delivery");
  }

  /** Stores an event of one webhook, and takes its delivery. */
  async lease(item: AcceptItem): Promise<SentDelivery> {
    const [queued, ...more] = await this.#accept(item);
    assert.ok(queued !== undefined && more.length === 0);
    const { seq, eventSeq, tag } = queued;
    return {
      ...queued,
      id: deliveryId({ seq, tag }),
      eventId: eventId({ seq: eventSeq, tag }),
    };
  }

  /** Stores an event whose delivery is given up after one attempt. */
  async fail(item: AcceptItem): Promise<SentDelivery> {
    const delivery = await this.lease(item);
    await this.#settle(delivery, { kind: "end", state: "dead", reason: null }, REFUSED);
    return delivery;
  }

  /** Stores an event to which the receiver says that it is gone for ever. */
  async refuseForEver(item: AcceptItem): Promise<void> {
    const delivery = await this.lease(item);
    const next = { kind: "end", state: "dead", reason: null } as const;
    const answer = { outcome: "http_error", status: 410 };
    const [webhook] = await this.#store.webhooks.forSending([delivery.webhookNo]);
    assert.ok(webhook !== undefined);
    const { urlMark } = webhook;
    await this.#settle(delivery, next, answer, { kind: "disable", reason: "gone", urlMark });
  }

  async deliver(delivery: SentDelivery, answer = TAKEN): Promise<void> {
    await this.#settle(delivery, { kind: "end", state: "delivered", reason: null }, answer);
  }

  /** Lets it wait after a failure. */
  async retry(delivery: SentDelivery, delayMs: number): Promise<void> {
    const next = { kind: "retry", delayMs, counts: true, throttled: false } as const;
    await this.#settle(delivery, next, REFUSED);
  }

  /** Records a ping that was answered. Returns its delivery's id. */
  async ping(webhookId: string, resourceId: string): Promise<string> {
    const { log } = this.#store;
    const { seq, deliverySeq, webhookNo } = await log.reservePing(webhookId, null);
    const tag = makeTag(randomBytes);
    await log.recordPing({
      seq,
      tag,
      webhookNo,
      resourceId,
      attempt: { number: 1, ...TAKEN, detail: JSON.stringify(DETAIL) },
      time: 1_767_323_000,
      payload: "{}",
      state: "delivered",
    });
    return deliveryId({ seq: deliverySeq, tag });
  }

  async #accept(item: AcceptItem): Promise<QueuedDelivery[]> {
    this.#instanceNo ??= (await this.#store.instances.start("test", "1.0.0")).instanceNo;
    const budget = { bytes: 1_000_000, share: 100, full: [], read: [] };
    const outcome = await this.#store.events.accept([item], {
      ...budget,
      instanceNo: this.#instanceNo,
    });
    assert.equal(outcome.results[0]?.kind, "accepted");
    return outcome.preLeased;
  }

  async #settle(
    delivery: SentDelivery,
    next: SettlementNext,
    answer: Answer,
    health?: HealthSignal,
  ): Promise<void> {
    const { seq, lease, webhookNo, eventSeq, eventName } = delivery;
    const { outcome, status, detail = DETAIL } = answer;
    const number = delivery.attempts + 1;
    const attempt = { number, outcome, status, detail: JSON.stringify(detail) };
    const settlement = {
      seq,
      lease,
      webhookNo,
      eventSeq,
      eventName,
      attempt,
      next,
      ...(health === undefined ? {} : { health }),
    };
    const settled = await this.#store.deliveries.settle(
      this.#instanceNo ?? assert.fail("nothing was leased"),
      [settlement],
      RULE,
    );
    assert.deepEqual([settled.refused, settled.failed], [[], []]);
  }
}

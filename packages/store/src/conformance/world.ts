import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  type FileVersion,
  makeRandomId,
  makeSecret,
  makeTag,
  type ReportedEventName,
} from "@markethook/protocol";
import type {
  AttemptRecord,
  DisableRule,
  HealthSignal,
  QueuedDelivery,
  Settlement,
  SettlementNext,
  SettleOutcome,
} from "../port/deliveries.ts";
import type { Notice } from "../port/administration.ts";
import type { AcceptItem, AcceptOutcome, LeaseBudget } from "../port/events.ts";
import type { Store } from "../port/store.ts";
import type { Webhook, WebhookInput } from "../port/webhooks.ts";
import type { Harness } from "./harness.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const RULE: DisableRule = {
  afterMs: 5 * DAY,
  acceptedWithinMs: 30 * DAY,
  attempts: 10,
  events: 2,
  probeAfterMs: MINUTE,
};

/** What becomes of a delivery. */
export const DEAD = { kind: "end", state: "dead", reason: "attempts_exhausted" } as const;
export const DELIVERED = { kind: "end", state: "delivered", reason: null } as const;
export const RELEASE = { kind: "release" } as const;
/** What a failed attempt says of its webhook. */
export const FAILED: HealthSignal = { kind: "failed", badRequest: false };

export interface Shop {
  id: string;
  ownerId: string;
  hooks: Webhook[];
  /** The first of these. */
  readonly hook: Webhook;
}

/** Short words for what tests do again and again. Every name is new, so tests of one file do not meet. */
export class World {
  #harness: Harness | undefined;
  #names = 0;

  /** Left out: tests are defined first, and their database is opened later. */
  constructor(harness?: Harness) {
    this.#harness = harness;
  }

  set harness(harness: Harness) {
    this.#harness = harness;
  }

  get harness(): Harness {
    if (this.#harness === undefined) throw new Error("the store did not open");
    return this.#harness;
  }

  get store(): Store {
    return this.harness.store;
  }

  name(prefix: string): string {
    this.#names += 1;
    return `${prefix}-${this.#names}`;
  }

  async resource(ownerId = this.name("owner")): Promise<{ id: string; ownerId: string }> {
    const id = this.name("resource");
    await this.store.resources.put([{ id, ownerId, title: "Castle", subtitle: "A map" }]);
    return { id, ownerId };
  }

  async webhook(resourceId: string, change: Partial<WebhookInput> = {}): Promise<Webhook> {
    return await this.store.webhooks.create(
      {
        id: makeRandomId("wh_", randomBytes),
        resourceId,
        url: "https://receiver.example/hook",
        format: "json",
        events: null,
        description: "",
        secret: makeSecret(randomBytes),
        ...change,
      },
      null,
    );
  }

  /** A resource with this many webhooks. */
  async shop(webhooks = 1): Promise<Shop> {
    const resource = await this.resource();
    const hooks: Webhook[] = [];
    for (let i = 0; i < webhooks; i += 1) hooks.push(await this.webhook(resource.id));
    return {
      ...resource,
      hooks,
      get hook() {
        const [first] = hooks;
        assert.ok(first, "it has a webhook");
        return first;
      },
    };
  }

  /** The usual beginning. */
  async shopAndInstance(webhooks = 1) {
    return { shop: await this.shop(webhooks), instanceNo: await this.instanceNo() };
  }

  /** The usual beginning, with one delivery that is leased. */
  async leasedOne() {
    const { shop, instanceNo } = await this.shopAndInstance();
    return { shop, instanceNo, delivery: await this.acceptOne(shop.id, instanceNo) };
  }

  async instanceNo(name = "test"): Promise<number> {
    return (await this.store.instances.start(name, "1.0.0")).instanceNo;
  }

  /** Accepts that must all be stored; answers the event ids. */
  async accept(items: readonly AcceptItem[], budget: LeaseBudget | null = null): Promise<string[]> {
    const { results } = await this.store.events.accept(items, budget);
    return results.map((result) => {
      assert.equal(result.kind, "accepted", JSON.stringify(result));
      return result.kind === "accepted" ? result.eventId : "";
    });
  }

  /** One event, with its deliveries leased as far as they may go. */
  async acceptPurchase(resourceId: string, instanceNo: number): Promise<AcceptOutcome> {
    const item = event(resourceId, "purchase", this.user());
    return await this.store.events.accept([item], budget(instanceNo));
  }

  /** One event, one delivery, leased. */
  async acceptOne(
    resourceId: string,
    instanceNo: number,
    item: AcceptItem = event(resourceId, "purchase", this.user()),
  ): Promise<QueuedDelivery> {
    const { preLeased } = await this.store.events.accept([item], budget(instanceNo));
    return only(preLeased);
  }

  user(): number {
    this.#names += 1;
    return 1_000_000 + this.#names;
  }

  /** Claims, round after round, until a whole circle brings nothing. */
  async claimAll(instanceNo: number): Promise<QueuedDelivery[]> {
    const all: QueuedDelivery[] = [];
    let cursor = 0;
    for (let idle = 0; idle < 2;) {
      const claimed = await this.store.deliveries.claim({ ...claim(instanceNo), cursor });
      all.push(...claimed.deliveries);
      cursor = claimed.cursor;
      idle = claimed.deliveries.length > 0 || cursor !== 0 ? 0 : idle + 1;
    }
    return all;
  }

  /**
   * Before each test: no instance, no webhook and no open delivery is left of the one before. By the database's own means,
   * because the store's would take a third of the time of all tests.
   */
  async quiet(): Promise<void> {
    await this.harness.tamper(
      `delete from instances;
       delete from leased where seq > 0;
       delete from pending where seq > 0;
       update webhooks set deleted_at = created_at, cancel_before = null where deleted_at is null`,
    );
  }

  /** Delivers whatever is due. */
  async drain(instanceNo: number): Promise<void> {
    for (;;) {
      const claimed = await this.claimAll(instanceNo);
      if (claimed.length === 0) return;
      await this.deliver(instanceNo, claimed);
    }
  }

  async deliver(instanceNo: number, deliveries: readonly QueuedDelivery[]): Promise<SettleOutcome> {
    return await this.settle(instanceNo, deliveries.map(delivered));
  }

  async settle(instanceNo: number, settlements: readonly Settlement[]): Promise<SettleOutcome> {
    return await this.store.deliveries.settle(instanceNo, settlements, RULE);
  }

  /** What the receiver of a webhook says with 410. */
  async gone(
    webhookNo: number,
    reason: "gone" | "receiver_request" = "gone",
  ): Promise<HealthSignal> {
    const { urlMark } = only(await this.store.webhooks.forSending([webhookNo]));
    return { kind: "disable", reason, urlMark };
  }

  async state(seq: number): Promise<string | undefined> {
    const { items } = await this.store.log.list(
      { ownerId: null },
      { beforeSeq: seq + 1, limit: 1 },
    );
    return items[0]?.seq === seq ? items[0].state : undefined;
  }

  /** An owner's; null: all. */
  async notices(ownerId: string | null): Promise<Notice[]> {
    return await this.store.notices.list(0, 1000, ownerId);
  }

  /** Prunes until nothing is left to do. */
  async prune(retentionMs: number, keysMs: number, limit = 1000): Promise<void> {
    while ((await this.store.maintenance.prune(retentionMs, keysMs, limit)) > 0);
  }

  /** Sends a ping, and records what came of it. */
  async ping(
    { id, resourceId }: Pick<Webhook, "id" | "resourceId">,
    change: Partial<Parameters<Store["log"]["recordPing"]>[0]> = {},
  ) {
    const { seq, webhookNo } = await this.store.log.reservePing(id, null);
    const attempt = { number: 1, outcome: "ok", status: 200, detail: "{}" };
    const made = { time: 1, payload: "{}", state: "delivered", attempt } as const;
    const tag = "aaaaaaaaaa";
    await this.store.log.recordPing({ seq, tag, webhookNo, resourceId, ...made, ...change });
    return seq;
  }

  /** Another instance's store; where one process owns the database, the same. */
  async another(): Promise<Store> {
    return this.harness.openAnother === null ? this.store : await this.harness.openAnother();
  }

  /** Where each open or ended delivery stands. */
  async places() {
    type Placed = { place: "leased" | "pending" | "ended"; row: Record<string, unknown> };
    const all = new Map<number, Placed>();
    for (const place of ["leased", "pending", "ended"] as const) {
      for (const row of await this.harness.rows(place)) {
        assert.ok(!all.has(Number(row["seq"])), "a delivery stands in one table only");
        all.set(Number(row["seq"]), { place, row });
      }
    }
    return all;
  }
}

const NAMES = {
  purchase: "product.user.purchase",
  removed: "product.user.purchaseRemoved",
  download: "product.user.firstDownload",
} as const satisfies Record<string, ReportedEventName>;

export function event(
  resourceId: string,
  what: keyof typeof NAMES,
  userId: number,
  more: Partial<AcceptItem> = {},
): AcceptItem {
  return {
    resourceId,
    name: NAMES[what],
    time: 1_700_000_000,
    tag: makeTag(randomBytes),
    userId,
    ...more,
  };
}

export function fileVersion(id: string, change: Partial<FileVersion> = {}): FileVersion {
  return {
    version: `v${id}`,
    id,
    time: 1_690_000_000,
    size: "1024",
    fileType: "jar",
    branch: "release",
    title: `Update ${id}`,
    description: "New towers",
    ...change,
  };
}

export function update(
  resourceId: string,
  version: FileVersion,
  more: Partial<AcceptItem> = {},
): AcceptItem {
  return {
    resourceId,
    name: "product.update",
    time: 1_700_000_000,
    tag: makeTag(randomBytes),
    update: version,
    ...more,
  };
}

export function keyed(key: string, body = "body"): Pick<AcceptItem, "idempotency"> {
  return { idempotency: { key, bodyHash: body } };
}

export function budget(instanceNo: number, change: Partial<LeaseBudget> = {}): LeaseBudget {
  return { instanceNo, bytes: 1_000_000, share: 100, full: [], read: [], ...change };
}

export function claim(instanceNo: number) {
  return { instanceNo, cursor: 0, webhooks: 1000, perWebhook: 100, hints: [], full: [] };
}

export function attempt(
  delivery: QueuedDelivery,
  change: Partial<AttemptRecord> = {},
): AttemptRecord {
  return {
    number: delivery.attempts + 1,
    outcome: "ok",
    status: 200,
    detail: JSON.stringify({
      at: 1,
      profile: 1,
      url: "u",
      nonce: "n",
      timestamp: 1,
      signature: "s",
    }),
    ...change,
  };
}

export function settled(
  delivery: QueuedDelivery,
  next: SettlementNext,
  record: Partial<AttemptRecord> | null = {},
  health?: HealthSignal,
): Settlement {
  return {
    seq: delivery.seq,
    lease: delivery.lease,
    webhookNo: delivery.webhookNo,
    eventSeq: delivery.eventSeq,
    eventName: delivery.eventName,
    attempt: record === null ? null : attempt(delivery, record),
    next,
    ...(health === undefined ? {} : { health }),
  };
}

export function delivered(delivery: QueuedDelivery): Settlement {
  return settled(delivery, DELIVERED);
}

export function retried(delivery: QueuedDelivery, delayMs: number): Settlement {
  return settled(
    delivery,
    { kind: "retry", delayMs, counts: true, throttled: false },
    { outcome: "http_error", status: 500 },
  );
}

/** An attempt that failed, and is made again after this time. */
export function failed(delivery: QueuedDelivery, delayMs = 0): Settlement {
  return { ...retried(delivery, delayMs), health: FAILED };
}

export function only<T>(values: readonly T[]): T {
  assert.equal(values.length, 1, `expected one, got ${values.length}`);
  return values[0] as T; // The length was just checked.
}

export function accepted(outcome: AcceptOutcome): number {
  return outcome.results.filter((result) => result.kind === "accepted").length;
}

/** For `assert.rejects`. */
export function withCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof Error && "code" in error && error.code === code;
}

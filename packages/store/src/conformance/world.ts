import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { makeRandomId, makeSecret } from "@markethook/protocol";
import type {
  HealthSignal,
  QueuedDelivery,
  Settlement,
  SettleOutcome,
} from "../port/deliveries.ts";
import type { DeliveryFilter, DeliverySummary } from "../port/delivery-log.ts";
import type { Notice } from "../port/administration.ts";
import type { AcceptItem, AcceptOutcome, LeaseBudget } from "../port/events.ts";
import type { ImportRecord, ImportResult } from "../port/imports.ts";
import type { Store } from "../port/store.ts";
import type { Webhook, WebhookInput } from "../port/webhooks.ts";
import { only } from "./checks.ts";
import { newest } from "./lists.ts";
import { budget, event } from "./reports.ts";
import { claim, delivered, HOUR, MINUTE, RULE } from "./settlements.ts";
import type { Harness } from "./harness.ts";

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

  /** Another owner's from now on. */
  async give(id: string, ownerId: string): Promise<void> {
    await this.store.resources.put([{ id, ownerId, title: "T", subtitle: "" }]);
  }

  async import(records: readonly ImportRecord[]): Promise<ImportResult[]> {
    return await this.store.imports.run(records, { dryRun: false });
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

  /** What became of each report; nothing is leased. */
  async report(items: readonly AcceptItem[]): Promise<AcceptOutcome["results"]> {
    return (await this.store.events.accept(items, null)).results;
  }

  /** Their deliveries that are leased at once. */
  async lease(instanceNo: number, items: readonly AcceptItem[]): Promise<QueuedDelivery[]> {
    return (await this.store.events.accept(items, budget(instanceNo))).preLeased;
  }

  /** Each by another buyer. */
  purchases(resourceId: string, count = 1): AcceptItem[] {
    return Array.from({ length: count }, () => event(resourceId, "purchase", this.user()));
  }

  /** One event, with its deliveries leased as far as they may go. */
  async acceptPurchase(resourceId: string, instanceNo: number): Promise<AcceptOutcome> {
    return await this.store.events.accept(this.purchases(resourceId), budget(instanceNo));
  }

  /** One event, one delivery, leased. */
  async acceptOne(
    resourceId: string,
    instanceNo: number,
    item: AcceptItem = event(resourceId, "purchase", this.user()),
  ): Promise<QueuedDelivery> {
    return only(await this.lease(instanceNo, [item]));
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

  /** Moves the clock to the beginning of an hour, which does not end in the middle of a test. */
  async beginHour(): Promise<void> {
    await this.harness.advance(HOUR - ((await this.store.maintenance.now()) % HOUR));
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

  async settleEach(
    instanceNo: number,
    deliveries: readonly QueuedDelivery[],
    become: (delivery: QueuedDelivery) => Settlement,
  ): Promise<SettleOutcome> {
    return await this.settle(instanceNo, deliveries.map(become));
  }

  async probes(instanceNo: number, everyMs = MINUTE): Promise<QueuedDelivery[]> {
    return await this.store.deliveries.claimProbes(instanceNo, 10, everyMs);
  }

  /** What the receiver of a webhook says with 410. */
  async gone(
    webhookNo: number,
    reason: "gone" | "receiver_request" = "gone",
  ): Promise<HealthSignal> {
    const { urlMark } = only(await this.store.webhooks.forSending([webhookNo]));
    return { kind: "disable", reason, urlMark };
  }

  /** The newest deliveries in the log. */
  async listed(filter: DeliveryFilter, limit = 1000): Promise<DeliverySummary[]> {
    return (await this.store.log.list(filter, newest(limit))).items;
  }

  async rowsOf(
    table: "attempt_history" | "chat_messages" | "given_up" | "pending" | "webhook_health",
    webhookNo: number,
  ) {
    const rows = await this.harness.rows(table);
    return rows.filter((row) => Number(row["webhook_no"]) === webhookNo);
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

import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { generationSpan } from "../hot/key-hash-and-generation.ts";
import type { AcceptItem } from "../port/events.ts";
import { only } from "./checks.ts";
import { each } from "./lists.ts";
import { budget, event, keyed } from "./reports.ts";
import { DAY, delivered, retried } from "./settlements.ts";
import type { World } from "./world.ts";

const RETENTION = 30 * DAY;
const KEYS = 3 * DAY;

export function testMaintenance(w: World): void {
  test("pruning takes what ended before its time, with its attempts and its event", async () => {
    const { instanceNo, shop, delivery } = await w.leasedOne();
    await w.settle(instanceNo, [retried(delivery, 0)]);
    await w.drain(instanceNo);
    await w.harness.advance(29 * DAY);
    await pruneAll(w);
    assert.notEqual(await w.store.log.find(deliveryId(delivery), null), null);
    const young = await w.acceptOne(shop.id, instanceNo);
    await w.deliver(instanceNo, [young]);
    await w.harness.advance(2 * DAY);
    await pruneAll(w);
    assert.equal(await w.store.log.find(deliveryId(delivery), null), null);
    assert.notEqual(await w.store.log.find(deliveryId(young), null), null);
    for (const table of ["ended", "attempts", "events"] as const) {
      const rows = await w.harness.rows(table);
      assert.ok(
        rows.every(
          (row) =>
            row["seq"] !== delivery.seq &&
            row["seq"] !== delivery.eventSeq &&
            row["delivery_seq"] !== delivery.seq,
        ),
        table,
      );
    }
  });

  test("pruning never takes what has not ended, nor its event, however old", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(2);
    const [, paused] = shop.hooks;
    await w.store.webhooks.pause(paused?.id ?? "", null);
    const delivery = await w.acceptOne(shop.id, instanceNo);
    await w.deliver(instanceNo, [delivery]);
    await w.harness.advance(400 * DAY);
    await pruneAll(w);
    assert.equal(await w.state(delivery.seq), undefined);
    await w.store.webhooks.resume(paused?.id ?? "", null, "send");
    const held = only(await w.claimAll(instanceNo));
    assert.equal(held.payload, delivery.payload);
    await w.deliver(instanceNo, [held]);
    await pruneAll(w);
    assert.equal((await w.store.log.find(deliveryId(held), null))?.state, "delivered");
  });

  test("pruning keeps an event as long as a redelivery of it is open or in the log", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { hook } = shop;
    const delivery = await w.acceptOne(shop.id, instanceNo);
    await w.deliver(instanceNo, [delivery]);
    await w.store.webhooks.pause(hook.id, null);
    const { deliveryId: id } = await w.store.log.redeliver(deliveryId(delivery), null, false);
    await w.harness.advance(60 * DAY);
    await pruneAll(w);
    assert.equal(await w.state(delivery.seq), undefined);
    assert.equal((await w.store.log.find(id, null))?.state, "held");
    await w.store.webhooks.resume(hook.id, null, "send");
    const again = only(await w.claimAll(instanceNo));
    assert.equal(again.payload, delivery.payload);
    await w.harness.advance(20 * DAY);
    await pruneAll(w);
    await w.deliver(instanceNo, [again]);
    await w.harness.advance(29 * DAY);
    await pruneAll(w);
    assert.equal((await w.store.log.find(id, null))?.state, "delivered");
    await w.harness.advance(2 * DAY);
    await pruneAll(w);
    assert.equal(await w.store.log.find(id, null), null);
    assert.ok((await w.harness.rows("events")).every((row) => row["seq"] !== delivery.eventSeq));
  });

  test("idempotency keys are kept for their time, and at most as much longer as a generation takes", async () => {
    const shop = await w.shop(0);
    const item = event(shop.id, "purchase", w.user(), keyed(w.name("key")));
    await w.accept([item]);
    await w.harness.advance(generationSpan(KEYS));
    await pruneAll(w);
    await w.harness.advance(KEYS - generationSpan(KEYS) - 1000);
    await pruneAll(w);
    const results = await w.report([item]);
    assert.equal(results[0]?.kind, "duplicate");
    await w.harness.advance(generationSpan(KEYS) + 2000);
    await pruneAll(w);
    await w.accept([item]);
  });

  test("a key is known in whichever generation it is, and a generation that is too old goes with all its keys", async () => {
    const shop = await w.shop(0);
    const items: AcceptItem[] = [];
    const ids: string[] = [];
    for (let generation = 0; generation < 4; generation += 1) {
      const item = event(shop.id, "purchase", w.user(), keyed(w.name("key"), "one"));
      items.push(item);
      ids.push(...(await w.accept([item])));
      await w.harness.advance(generationSpan(KEYS) + 1000);
      await pruneAll(w);
    }
    const generations = (await w.harness.rows("key_generations")).length;
    assert.ok(generations >= 5);
    const other = items.map((item) => ({
      ...item,
      idempotency: { key: item.idempotency?.key ?? "", bodyHash: "another" },
    }));
    const results = await w.report([...items, ...other]);
    assert.deepEqual(results, [
      ...ids.map((eventId) => ({ kind: "duplicate", eventId })),
      ...other.map(() => ({ kind: "rejected", code: "idempotency_key_reused" })),
    ]);
    await w.harness.advance(generationSpan(KEYS));
    await pruneAll(w);
    await w.harness.advance(KEYS + 1000);
    await pruneAll(w);
    assert.deepEqual(await w.harness.rows("idempotency_keys"), []);
    assert.equal((await w.harness.rows("key_generations")).length, 2);
    await w.accept(items);
  });

  test("a call looks at a bounded number of rows, and the walk goes on until everything old is gone", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    await pruneAll(w);
    for (let i = 0; i < 3; i += 1) {
      const items = w.purchases(shop.id, 20);
      const preLeased = await w.lease(instanceNo, items);
      await w.settle(instanceNo, preLeased.map(delivered));
    }
    await w.harness.advance(31 * DAY);
    const steps: number[] = [];
    for (let step = 0; step < 14; step += 1) {
      steps.push(await w.store.maintenance.prune(RETENTION, KEYS, 10));
    }
    assert.ok(
      steps.every((count) => count <= 30),
      String(steps),
    );
    assert.deepEqual(await w.harness.rows("ended"), []);
    assert.deepEqual(await w.harness.rows("events"), []);
  });

  test("old rows that must stay do not look like the end of the walk", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(2);
    const [paused] = shop.hooks;
    await pruneAll(w);
    await w.store.webhooks.pause(paused?.id ?? "", null);
    for (let i = 0; i < 3; i += 1) {
      const items = w.purchases(shop.id, 20);
      const preLeased = await w.lease(instanceNo, items);
      await w.settle(instanceNo, preLeased.map(delivered));
    }
    await w.harness.advance(31 * DAY);
    for (let left = 60; left > 0;) left -= await w.store.maintenance.prune(RETENTION, KEYS, 10);
    assert.deepEqual(await w.harness.rows("ended"), []);
    await w.store.webhooks.delete(paused?.id ?? "", null);
    await w.store.deliveries.cancelMarked(59);
    await w.harness.advance(31 * DAY);
    // Now the oldest 59 may go, and the youngest stays.
    await w.prune(RETENTION, KEYS, 10);
    assert.equal((await w.harness.rows("events")).length, 1);
  });

  test("statistics count what stands where", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(3);
    const before = await w.store.maintenance.statistics();
    await w.store.webhooks.pause(shop.hook.id, null);
    await w.store.events.accept(w.purchases(shop.id), budget(instanceNo));
    const after = await w.store.maintenance.statistics();
    assert.deepEqual(
      [after.pending - before.pending, after.leased - before.leased, after.instances],
      [1, 2, 1],
    );
    assert.deepEqual(after.webhooks, { active: 2, paused: 1, disabled: 0 });
    assert.ok(after.sizeBytes > 0);
  });

  test("the clock runs in milliseconds since the epoch, and a write can be tried", async () => {
    const now = await w.store.maintenance.now();
    assert.ok(Number.isInteger(now) && now > 1_700_000_000_000);
    assert.ok((await w.store.maintenance.now()) >= now);
    await w.store.maintenance.checkWritable();
    await w.store.maintenance.checkWritable();
  });

  test("a start learns the settings of the last one", async () => {
    const { noteSettings } = w.store.maintenance;
    await noteSettings("a");
    assert.equal(await noteSettings("b"), "a");
    assert.equal(await noteSettings("b"), "b");
    assert.equal(await (await w.harness.reopen()).maintenance.noteSettings("c"), "b");
  });

  test("a trial accept leaves nothing behind, and fails where a table lacks what accepting needs", async () => {
    await w.accept([event((await w.shop()).id, "purchase", w.user())]);
    const tables = ["events", "idempotency_keys", "first_downloads", "leased", "pending"] as const;
    const counts = async (): Promise<number[]> =>
      await Promise.all(tables.map(async (table) => (await w.harness.rows(table)).length));
    const before = await counts();
    await w.store.maintenance.tryAccept();
    await w.store.maintenance.tryAccept();
    assert.deepEqual(await counts(), before);
    await w.harness.tamper("alter table first_downloads rename to away");
    await assert.rejects(w.store.maintenance.tryAccept(), { code: "store_unavailable" });
    await w.harness.tamper("alter table away rename to first_downloads");
    await w.store.maintenance.tryAccept();
  });

  test("everything is still there after closing and opening again, and numbers go on", async () => {
    const shop = await w.shop();
    const [first = ""] = await w.accept([event(shop.id, "purchase", 1)]);
    const found = await w.store.events.find(first, null);
    const hook = await w.store.webhooks.get(shop.hook.id, null);
    const now = await w.store.maintenance.now();
    await w.harness.reopen();
    assert.deepEqual(await w.store.events.find(first, null), found);
    assert.deepEqual(await w.store.webhooks.get(hook.id, null), hook);
    assert.equal((await w.store.webhooks.forSending([hook.no])).length, 1);
    assert.ok((await w.store.maintenance.now()) >= now, "the clock never goes back");
    const instanceNo = await w.instanceNo();
    const user = w.user();
    await w.accept([event(shop.id, "removed", user)]);
    const claimed = await w.claimAll(instanceNo);
    assert.deepEqual(
      each(claimed, "seq"),
      claimed.map((one) => one.seq).sort((a, b) => a - b),
    );
  });
}

/** Twice round: the second time finds what the first one freed. */
async function pruneAll(w: World): Promise<void> {
  for (let idle = 0; idle < 3;) {
    idle = (await w.store.maintenance.prune(RETENTION, KEYS, 500)) > 0 ? 0 : idle + 1;
  }
}

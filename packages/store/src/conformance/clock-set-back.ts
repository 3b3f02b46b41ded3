import assert from "node:assert/strict";
import { test } from "node:test";
import { each } from "./lists.ts";
import { event } from "./reports.ts";
import { HOUR, retried } from "./settlements.ts";
import type { World } from "./world.ts";

const LIMIT = 2;
const PACE = { perSecond: 1000, doubleEveryMs: 1000 };

/** A database's clock that was ahead, and is corrected: nothing stands still until it is there again. */
export function testClockSetBack(w: World): void {
  test("deliveries that wait for no time go on, and a retry waits as long as it would have", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const [tried, asked] = [
      await w.acceptOne(shop.id, instanceNo),
      await w.acceptOne(shop.id, instanceNo),
    ];
    await w.accept(w.purchases(shop.id, 5));
    await w.settle(instanceNo, [retried(tried, 60_000)]);
    assert.deepEqual(await w.store.maintenance.followClock(LIMIT), { moved: 0, byMs: 0 });
    await w.harness.advance(-HOUR);
    await w.settle(instanceNo, [retried(asked, 30_000)]);
    assert.deepEqual(await w.claimAll(instanceNo), []);

    const { moved, byMs } = await w.store.maintenance.followClock(LIMIT);
    assert.equal(moved, 7);
    assert.ok(byMs > HOUR - 60_000 && byMs <= HOUR, String(byMs));
    assert.equal((await w.claimAll(instanceNo)).length, 5);
    assert.deepEqual(await w.store.maintenance.followClock(LIMIT), { moved: 0, byMs: 0 });
    await w.harness.advance(30_001);
    assert.deepEqual(each(await w.claimAll(instanceNo), "seq"), [asked.seq]);
    await w.harness.advance(60_000);
    assert.deepEqual(each(await w.claimAll(instanceNo), "seq"), [tried.seq]);
    await w.harness.advance(HOUR);
  });

  test("it goes on behind more deliveries than are read at once, made since the clock was set back", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const reports = (count: number) => w.purchases(shop.id, count);
    await w.accept(reports(3));
    await w.store.maintenance.followClock(LIMIT);
    await w.harness.advance(-HOUR);
    await w.accept(reports(2 * LIMIT + 1));
    assert.equal((await w.store.maintenance.followClock(LIMIT)).moved, 3);
    assert.equal((await w.claimAll(instanceNo)).length, 3 + 2 * LIMIT + 1);
    await w.harness.advance(HOUR);
  });

  test("deliveries that a resume was making due are made due", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { id } = shop.hook;
    const held = [];
    for (let i = 0; i < 600; i += 1) held.push(event(shop.id, "purchase", w.user()));
    await w.accept(held);
    await w.harness.advance(2 * HOUR);
    const deliveries = await w.claimAll(instanceNo);
    await w.settleEach(instanceNo, deliveries, (one) => retried(one, HOUR));
    await w.store.webhooks.pause(id, null);
    await w.store.webhooks.resume(id, null, "send");
    assert.equal((await w.store.maintenance.followClock(100)).moved, 0);
    await w.harness.advance(-HOUR);
    assert.equal((await w.store.maintenance.followClock(100)).moved, 0);
    while ((await w.store.deliveries.pullForward(500, PACE)) > 0);
    assert.equal((await w.claimAll(instanceNo)).length, deliveries.length);
    await w.harness.advance(HOUR);
  });
}

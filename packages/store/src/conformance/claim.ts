import assert from "node:assert/strict";
import { test } from "node:test";
import { LeaseLostError } from "../port/instances.ts";
import { only } from "./checks.ts";
import { each } from "./lists.ts";
import { event } from "./reports.ts";
import { claim, delivered, failed, retried, retry, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testClaim(w: World): void {
  test("a claim takes a few rows of each webhook, whatever the backlog of one", async () => {
    const instanceNo = await w.instanceNo();
    const big = await w.shop();
    const small = [await w.shop(), await w.shop(), await w.shop()];
    await w.accept(w.purchases(big.id, 500));
    for (const shop of small) await w.accept(w.purchases(shop.id));
    const { deliveries } = await w.store.deliveries.claim({ ...claim(instanceNo), perWebhook: 2 });
    const of = (no: number | undefined): number =>
      deliveries.filter((delivery) => delivery.webhookNo === no).length;
    assert.equal(of(big.hook.no), 2);
    assert.deepEqual(
      small.map((shop) => of(shop.hook.no)),
      [1, 1, 1],
    );
    await w.deliver(instanceNo, deliveries);
    await w.drain(instanceNo);
  });

  test("the scan rotates: it goes on after the last webhook visited, and starts over at the end", async () => {
    const instanceNo = await w.instanceNo();
    const shops = [];
    for (let i = 0; i < 5; i += 1) shops.push(await w.shop());
    for (const shop of shops) {
      await w.accept(w.purchases(shop.id, 3));
    }
    const nos = shops.map((shop) => shop.hook.no);
    const seen: number[][] = [];
    let cursor = 0;
    for (let step = 0; step < 4; step += 1) {
      const request = { ...claim(instanceNo), cursor, webhooks: 2, perWebhook: 1 };
      const outcome = await w.store.deliveries.claim(request);
      seen.push(outcome.deliveries.map((delivery) => delivery.webhookNo));
      ({ cursor } = outcome);
      await w.deliver(instanceNo, outcome.deliveries);
    }
    assert.deepEqual(seen, [nos.slice(0, 2), nos.slice(2, 4), nos.slice(4), nos.slice(0, 2)]);
    await w.drain(instanceNo);
  });

  test("visited webhooks count, not claimed rows: a webhook with nothing due does not hold up the rest", async () => {
    const instanceNo = await w.instanceNo();
    const [held, free] = [await w.shop(), await w.shop()];
    await w.accept([event(held.id, "purchase", 1), event(free.id, "purchase", 1)]);
    await w.store.webhooks.pause(held.hook.id, null);
    const first = await w.store.deliveries.claim({ ...claim(instanceNo), webhooks: 1 });
    assert.deepEqual([first.deliveries.length, first.visited], [0, 1]);
    const next = await w.store.deliveries.claim({
      ...claim(instanceNo),
      webhooks: 1,
      cursor: first.cursor,
    });
    assert.equal(only(next.deliveries).webhookNo, free.hook.no);
    await w.deliver(instanceNo, next.deliveries);
    await w.store.webhooks.delete(held.hook.id, null);
    await w.store.deliveries.cancelMarked(100);
  });

  test("paused, disabled, deleted and full webhooks are passed over", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(5);
    const [paused, gone, deleted, full, open] = shop.hooks;
    const first = await w.acceptPurchase(shop.id, instanceNo);
    await w.accept(w.purchases(shop.id));
    await w.store.webhooks.pause(paused?.id ?? "", null);
    await w.store.webhooks.delete(deleted?.id ?? "", null);
    const toGone = first.preLeased.find((leasedOne) => leasedOne.webhookNo === gone?.no);
    assert.ok(toGone !== undefined);
    const health = await w.gone(toGone.webhookNo);
    await w.settleEach(instanceNo, first.preLeased, (leasedOne) => {
      const settlement = retried(leasedOne, 0);
      if (leasedOne === toGone) settlement.health = health;
      return settlement;
    });
    const isFull = [full?.no ?? 0];
    const many = [...isFull, ...Array.from({ length: 5000 }, (_, index) => 1_000_000_000 + index)];
    const { deliveries } = await w.store.deliveries.claim({ ...claim(instanceNo), full: many });
    assert.deepEqual([...new Set(deliveries.map((delivery) => delivery.webhookNo))], [open?.no]);
    const none = await w.store.deliveries.claim({ ...claim(instanceNo), full: isFull });
    assert.deepEqual(none.deliveries, [], "however long the list is");
    const hints = shop.hooks.map(({ no }) => ({ webhookNo: no, orderKey: toGone.orderKey ?? 0 }));
    for (const named of [isFull, many]) {
      const hinted = await w.store.deliveries.claim({
        ...claim(instanceNo),
        cursor: Number.MAX_SAFE_INTEGER,
        hints,
        full: named,
      });
      assert.deepEqual(hinted.deliveries, [], "also where a hint names them");
    }
    await w.deliver(instanceNo, deliveries);
    await w.drain(instanceNo);
  });

  test("nothing is claimed before it is due by the database's clock", async () => {
    const { instanceNo, delivery } = await w.leasedOne();
    await w.settle(instanceNo, [retried(delivery, 10_000)]);
    await w.harness.advance(9000);
    assert.deepEqual(await w.claimAll(instanceNo), []);
    await w.harness.advance(1001);
    const again = only(await w.claimAll(instanceNo));
    assert.deepEqual([again.attempts, again.step, again.seq], [1, 1, delivery.seq]);
    await w.deliver(instanceNo, [again]);
  });

  test("an instance that has ended claims nothing and is told so", async () => {
    const shop = await w.shop();
    await w.accept([event(shop.id, "purchase", 1)]);
    const instanceNo = await w.instanceNo();
    await w.store.instances.end(instanceNo);
    await assert.rejects(w.store.deliveries.claim(claim(instanceNo)), LeaseLostError);
    await assert.rejects(w.probes(instanceNo, 1000), LeaseLostError);
    const next = await w.instanceNo();
    await w.drain(next);
  });

  test("two that claim at once never get the same delivery", async () => {
    const other = await w.another();
    const [instanceNo, second] = [
      await w.instanceNo("one"),
      (await other.instances.start("two", "1")).instanceNo,
    ];
    // On a store that one process owns, the second start ended the first instance.
    const instanceNos = w.store.exclusive ? [second, second] : [instanceNo, second];
    const shop = await w.shop(3);
    await w.accept(w.purchases(shop.id, 100));
    const claims = await Promise.all(
      instanceNos.flatMap((one, index) =>
        [1, 2, 3].map(
          async () =>
            await (index === 0 ? w.store : other).deliveries.claim({
              ...claim(one),
              perWebhook: 20,
            }),
        ),
      ),
    );
    const seqs = claims.flatMap(({ deliveries }) => deliveries.map((delivery) => delivery.seq));
    assert.equal(new Set(seqs).size, seqs.length);
    const all = claims.flatMap(({ deliveries }) => deliveries);
    for (const one of new Set(instanceNos)) await w.deliver(one, all);
    await w.drain(second);
    if (!w.store.exclusive) await w.drain(instanceNo);
    await other.instances.end(second);
  });

  test("a claim of an earlier delivery names the later one behind it, whichever instance accepted that", async () => {
    const instanceNo = await w.instanceNo();
    await w.drain(instanceNo);
    const shop = await w.shop();
    await w.accept([event(shop.id, "purchase", 1), event(shop.id, "removed", 1)]);
    const { deliveries, blocked } = await w.store.deliveries.claim(claim(instanceNo));
    assert.deepEqual(each(deliveries, "eventName"), ["product.user.purchase"]);
    assert.deepEqual(blocked, [{ webhookNo: deliveries[0]?.webhookNo, orderKey: 1 }]);
    await w.drain(instanceNo);
  });

  test("the age of the oldest due delivery leaves out a webhook whose receiver asked for a pause, until its end", async () => {
    const instanceNo = await w.instanceNo();
    await w.drain(instanceNo);
    const shop = await w.shop();
    const asked = await w.acceptOne(shop.id, instanceNo);
    await w.settle(instanceNo, [settled(asked, retry(60_000, { askedMs: 60_000 }))]);
    await w.accept(w.purchases(shop.id));
    await w.harness.advance(30_000);
    const age = async () =>
      (await w.store.deliveries.oldestDue(0, Number.MAX_SAFE_INTEGER, 100)).ageMs;
    assert.equal(await age(), 0);
    await w.harness.advance(31_000);
    assert.ok((await age()) >= 60_000);
    await w.drain(instanceNo);
  });

  test("the age of the oldest due delivery leaves out a webhook whose receiver fails, until it answers well", async () => {
    const instanceNo = await w.instanceNo();
    await w.drain(instanceNo);
    const shop = await w.shop();
    const first = await w.acceptOne(shop.id, instanceNo);
    const second = await w.acceptOne(shop.id, instanceNo);
    await w.settle(instanceNo, [failed(first, 600_000)]);
    await w.accept(w.purchases(shop.id));
    await w.harness.advance(90_000);
    const age = async () =>
      (await w.store.deliveries.oldestDue(0, Number.MAX_SAFE_INTEGER, 100)).ageMs;
    assert.equal(await age(), 0);
    await w.settle(instanceNo, [{ ...delivered(second), health: { kind: "ok" } }]);
    assert.ok((await age()) >= 89_000);
    await w.drain(instanceNo);
  });

  test("the age of the oldest due delivery leaves out webhooks that are named, however often, and counts all others", async () => {
    const instanceNo = await w.instanceNo();
    await w.drain(instanceNo);
    const [slow, shop] = [await w.shop(), await w.shop()];
    await w.accept([event(slow.id, "purchase", 1)]);
    await w.harness.advance(60_000);
    await w.accept([event(shop.id, "purchase", 1)]);
    await w.harness.advance(9000);
    const { no } = slow.hook;
    const oldestDue = async (without?: number[]) =>
      await w.store.deliveries.oldestDue(0, Number.MAX_SAFE_INTEGER, 100, without);
    assert.ok((await oldestDue()).ageMs >= 60_000);
    const { ageMs, ...rest } = await oldestDue([no, no]);
    assert.ok(ageMs >= 8000 && ageMs < 60_000, `${ageMs}`);
    assert.deepEqual(rest, { webhooks: 2, lastNo: null });
    assert.equal((await oldestDue([no, shop.hook.no])).ageMs, 0);
    await w.drain(instanceNo);
  });

  test("the age of the oldest due delivery counts neither held, blocked nor later ones", async () => {
    const instanceNo = await w.instanceNo();
    await w.drain(instanceNo);
    const age = async (above = 0, most = 100) =>
      await w.store.deliveries.oldestDue(above, Number.MAX_SAFE_INTEGER, most);
    assert.deepEqual(await age(), { ageMs: 0, webhooks: 0, lastNo: null });
    const [held, shop] = [await w.shop(), await w.shop()];
    await w.accept([event(held.id, "purchase", 1)]);
    await w.store.webhooks.pause(held.hook.id, null);
    await w.harness.advance(50_000);
    const leasedOne = await w.acceptOne(shop.id, instanceNo);
    await w.settle(instanceNo, [retried(leasedOne, 5000)]);
    assert.deepEqual(await age(), { ageMs: 0, webhooks: 2, lastNo: null });
    await w.harness.advance(9000);
    const heldNo = held.hook.no;
    const { ageMs } = await age();
    // The reader of SQLite has a clock of its own, a few milliseconds apart.
    assert.ok(ageMs >= 3900 && ageMs < 10_000, `${ageMs}`);
    assert.deepEqual(await age(0, 1), { ageMs: 0, webhooks: 1, lastNo: heldNo });
    assert.equal((await age(heldNo, 2)).webhooks, 1);
    assert.deepEqual(await w.store.deliveries.oldestDue(0, heldNo, 2), {
      ageMs: 0,
      webhooks: 1,
      lastNo: null,
    });
    await w.drain(instanceNo);
  });
}

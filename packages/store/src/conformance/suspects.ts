import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { only } from "./checks.ts";
import { crash, LEASE_MS } from "./leases.ts";
import { each } from "./lists.ts";
import { delivered, RELEASE, retried, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testSuspects(w: World): void {
  test("a delivery that ends process after process is one level more suspect each time, and in the end quarantined: not dead", async () => {
    const shop = await w.shop();
    let instanceNo = await w.instanceNo();
    let suspect = await w.acceptOne(shop.id, instanceNo);
    let innocent = await w.acceptOne(shop.id, instanceNo);
    for (let ends = 1; ends <= 10; ends += 1) {
      assert.deepEqual(await w.store.deliveries.markStarted(instanceNo, [suspect]), [suspect.seq]);
      const outcome = await crash(w, instanceNo);
      assert.deepEqual(
        outcome.suspects,
        ends === 1
          ? [{ level: 1, count: 2 }]
          : [
              { level: 1, count: 1 },
              { level: ends, count: 1 },
            ],
      );
      instanceNo = await w.instanceNo();
      const back = await w.claimAll(instanceNo);
      assert.deepEqual(
        back.map(({ seq, suspicion }) => [seq, suspicion]),
        [
          [suspect.seq, ends],
          [innocent.seq, 1],
        ],
      );
      [suspect, innocent] = [must(back[0]), must(back[1])];
    }
    await w.store.deliveries.markStarted(instanceNo, [suspect]);
    assert.equal((await crash(w, instanceNo)).quarantined, 1);
    instanceNo = await w.instanceNo();
    const back = only(await w.claimAll(instanceNo));
    assert.equal(back.seq, innocent.seq);
    await w.deliver(instanceNo, [back]);

    const detail = must(await w.store.log.find(deliveryId(suspect), null));
    assert.deepEqual(
      [detail.state, detail.reason, detail.attempts],
      ["pending", "quarantined", 11],
    );
    const now = await w.store.maintenance.now();
    const hour = 3_600_000;
    assert.ok(Math.abs((detail.dueAt ?? 0) - now - hour) < LEASE_MS);
    const notices = await w.notices(shop.ownerId);
    const notice = only(notices.filter(({ kind }) => kind === "delivery_quarantined"));
    assert.equal(notice.webhookId, shop.hook.id);
    assert.deepEqual(notice.detail, { deliveryId: deliveryId(suspect) });

    await w.harness.advance(hour);
    await w.store.instances.renew(instanceNo, false);
    const again = only(await w.claimAll(instanceNo));
    assert.deepEqual(
      [again.seq, again.suspicion],
      [suspect.seq, 11],
      "no healthy minute clears it",
    );
    await w.store.deliveries.markStarted(instanceNo, [again]);
    await crash(w, instanceNo);
    const later = must(await w.store.log.find(deliveryId(suspect), null));
    assert.ok((later.dueAt ?? 0) - (await w.store.maintenance.now()) > 1.9 * hour);
    await w.harness.advance(2 * hour);
    const last = await w.instanceNo();
    await w.deliver(last, await w.claimAll(last));
  });

  test("nobody is quarantined for an end at which another one was on its way too", async () => {
    const shop = await w.shop();
    let instanceNo = await w.instanceNo();
    let pair = [await w.acceptOne(shop.id, instanceNo), await w.acceptOne(shop.id, instanceNo)];
    for (let ends = 1; ends <= 13; ends += 1) {
      await w.store.deliveries.markStarted(instanceNo, pair);
      assert.equal((await crash(w, instanceNo)).quarantined, 0);
      instanceNo = await w.instanceNo();
      pair = await w.claimAll(instanceNo);
      assert.deepEqual(each(pair, "suspicion"), [Math.min(ends, 10), Math.min(ends, 10)]);
    }
    await w.deliver(instanceNo, pair);
  });

  test("after a healthy minute nobody is treated as suspect, and who ends a process again goes on from there", async () => {
    const shop = await w.shop();
    let instanceNo = await w.instanceNo();
    let one = await w.acceptOne(shop.id, instanceNo);
    for (const level of [1, 2]) {
      await w.store.deliveries.markStarted(instanceNo, [one]);
      await crash(w, instanceNo);
      instanceNo = await w.instanceNo();
      one = only(await w.claimAll(instanceNo));
      assert.equal(one.suspicion, level);
    }
    await w.settle(instanceNo, [{ ...settled(one, RELEASE), attempt: null }]);
    await w.harness.advance(60_001);
    await w.store.instances.renew(instanceNo, false);
    one = only(await w.claimAll(instanceNo));
    assert.equal(one.suspicion, 0);
    await crash(w, instanceNo);
    instanceNo = await w.instanceNo();
    one = only(await w.claimAll(instanceNo));
    assert.equal(one.suspicion, 2);
    await w.deliver(instanceNo, [one]);
  });

  test("the deliveries of a process that goes on under another instance_no are not suspect", async () => {
    const shop = await w.shop();
    const lost = await w.instanceNo();
    const marked = await w.acceptOne(shop.id, lost);
    await w.acceptOne(shop.id, lost);
    await w.store.deliveries.markStarted(lost, [marked]);
    // Others may have found it dead before it tells.
    if (!w.store.exclusive) await crash(w, lost);
    const { instanceNo, givenBack } = await w.store.instances.start("again", "1.0.0", lost);
    if (w.store.exclusive) assert.deepEqual([givenBack?.rescued, givenBack?.suspects], [2, []]);
    const back = await w.claimAll(instanceNo);
    assert.deepEqual(each(back, "suspicion"), [0, 0]);
    await w.deliver(instanceNo, back);
    if (w.store.exclusive) return;

    // Or nobody has yet.
    const second = await w.acceptOne(shop.id, instanceNo);
    await w.store.deliveries.markStarted(instanceNo, [second]);
    const after = await w.store.instances.start("again", "1.0.0", instanceNo);
    const outcome = await crash(w, instanceNo);
    assert.deepEqual([outcome.rescued, outcome.suspects], [1, []]);
    assert.equal(only(await w.claimAll(after.instanceNo)).suspicion, 0);
    await w.drain(after.instanceNo);
  });

  test("a request whose end was recorded clears the suspicion: it crashed nobody", async () => {
    const shop = await w.shop();
    const first = await w.instanceNo();
    const delivery = await w.acceptOne(shop.id, first);
    await crash(w, first);
    const second = await w.instanceNo();
    const rescued = only(await w.claimAll(second));
    assert.deepEqual([rescued.seq, rescued.suspicion], [delivery.seq, 1]);
    await w.settle(second, [retried(rescued, 0)]);
    const again = only(await w.claimAll(second));
    assert.deepEqual([again.seq, again.attempts, again.suspicion], [delivery.seq, 1, 0]);
    await w.deliver(second, [again]);
  });

  test("a delivery that a sender lost comes back at once as a suspect, and the instance's others stay its own", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const [lost, kept] = [
      await w.acceptOne(shop.id, instanceNo),
      await w.acceptOne(shop.id, instanceNo),
    ];
    const settlement = settled(lost, { kind: "lost" }, null);
    assert.deepEqual((await w.settle(instanceNo, [settlement, delivered(kept)])).refused, []);
    assert.deepEqual((await w.settle(instanceNo, [settlement])).refused, [lost.seq], "repeated");
    const again = only(await w.claimAll(instanceNo));
    assert.deepEqual([again.seq, again.attempts, again.suspicion], [lost.seq, 0, 1]);
    assert.equal(await w.store.instances.renew(instanceNo, false), true);
    await w.deliver(instanceNo, [again]);
  });

  test("a delivery that ends sender after sender is quarantined in the end, though the instance goes on", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    let suspect = await w.acceptOne(shop.id, instanceNo);
    const levels: number[] = [];
    for (let ends = 0; ends <= 10; ends += 1) {
      // Clean deliveries that were lost together with it do not hide it.
      const innocent = await w.acceptOne(shop.id, instanceNo);
      if (suspect.suspicion > 0) await w.store.deliveries.markStarted(instanceNo, [suspect]);
      const both = [suspect, innocent].map((one) => settled(one, { kind: "lost" }, null));
      assert.deepEqual((await w.settle(instanceNo, both)).refused, []);
      const back = await w.claimAll(instanceNo);
      const next = back.find(({ seq }) => seq === suspect.seq);
      levels.push(next?.suspicion ?? 0);
      await w.deliver(
        instanceNo,
        back.filter((one) => one !== next),
      );
      if (next === undefined) break;
      suspect = next;
    }
    assert.deepEqual(levels, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]);
    const detail = must(await w.store.log.find(deliveryId(suspect), null));
    assert.deepEqual(
      [detail.state, detail.reason, detail.attempts],
      ["pending", "quarantined", 10],
    );
    const notices = await w.notices(shop.ownerId);
    assert.equal(notices.filter(({ kind }) => kind === "delivery_quarantined").length, 1);
  });
}

function must<T>(value: T | null | undefined): T {
  assert.ok(value !== null && value !== undefined);
  return value;
}

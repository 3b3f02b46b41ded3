import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { only } from "./checks.ts";
import { beatOf, crash, mustBeLeasedAgain } from "./leases.ts";
import { each } from "./lists.ts";
import { budget } from "./reports.ts";
import { claim, RELEASE, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testRescue(w: World): void {
  test("an instance that missed its heartbeat is ended and what it held comes back, as a suspect, without an attempt", async () => {
    const shop = await w.shop();
    const dead = await w.instanceNo("dead");
    const delivery = await w.acceptOne(shop.id, dead);
    const own = w.store.exclusive ? null : await w.instanceNo("own");
    const outcome = await w.store.deliveries.rescue([await beatOf(w.store, dead)]);
    assert.deepEqual([outcome.instanceNos, outcome.rescued, outcome.quarantined], [[dead], 1, 0]);
    assert.equal(await w.store.instances.renew(dead, false), false);
    const next = own ?? (await w.instanceNo());
    const again = (await w.claimAll(next)).find((one) => one.seq === delivery.seq);
    assert.deepEqual([again?.attempts, again?.suspicion], [0, 1]);
    assert.deepEqual((await w.settle(dead, [settled(delivery, RELEASE)])).refused, [delivery.seq]);
    if (again !== undefined) await w.deliver(next, [again]);
  });

  test("an instance whose heart beat once more is not ended", async () => {
    const shop = await w.shop();
    const own = await w.instanceNo("own");
    const delivery = await w.acceptOne(shop.id, own);
    const beat = await beatOf(w.store, own);
    await w.harness.advance(1);
    assert.equal(await w.store.instances.renew(own, false), true);
    const outcome = await w.store.deliveries.rescue([beat]);
    assert.deepEqual([outcome.instanceNos, outcome.rescued], [[], 0]);
    assert.equal((await w.places()).get(delivery.seq)?.place, "leased");
    await w.deliver(own, [delivery]);
    await w.store.instances.end(own);
  });

  test("a lease whose instance has no row is freed", async () => {
    const { instanceNo, delivery } = await w.leasedOne();
    // Two rescues of the same instance: the second finds no row of it and nothing left to free.
    const beat = await beatOf(w.store, instanceNo);
    assert.equal((await w.store.deliveries.rescue([beat])).rescued, 1);
    assert.equal((await w.store.deliveries.rescue([beat])).rescued, 0);
    assert.equal((await w.places()).get(delivery.seq)?.place, "pending");
    await w.drain(await w.instanceNo());
  });

  test("a request that was marked as started and lost its process leaves an attempt of unknown outcome", async () => {
    const { instanceNo, delivery } = await w.leasedOne();
    await w.store.deliveries.markStarted(instanceNo, [delivery]);
    await crash(w, instanceNo);
    const next = await w.instanceNo();
    const again = only(await w.claimAll(next));
    assert.deepEqual([again.attempts, again.suspicion], [1, 1]);
    const detail = await w.store.log.find(deliveryId(delivery), null);
    assert.deepEqual(
      detail?.attemptRecords.map((one) => [one.number, one.outcome]),
      [[1, "outcome_unknown"]],
    );
    assert.equal(detail?.lastOutcome, "outcome_unknown");
    await w.deliver(next, [again]);
    const ended = await w.store.log.find(deliveryId(delivery), null);
    assert.deepEqual(
      ended?.attemptRecords.map((one) => [one.number, one.outcome]),
      [
        [1, "outcome_unknown"],
        [2, "ok"],
      ],
    );
  });

  test("the deliveries of a dead process are due at one moment, and so claimed in the order of their numbers", async () => {
    const shop = await w.shop();
    const dead = await w.instanceNo();
    const items = w.purchases(shop.id, 500);
    const { preLeased } = await w.store.events.accept(items, budget(dead, { share: items.length }));
    assert.equal(preLeased.length, items.length);
    await crash(w, dead);
    const instanceNo = await w.instanceNo();
    const back = await w.claimAll(instanceNo);
    assert.deepEqual(
      each(back, "seq"),
      preLeased.map(({ seq }) => seq).toSorted((a, b) => a - b),
    );
    await w.deliver(instanceNo, back);
  });

  test("a graceful end gives back what is held and suspects nothing", async () => {
    const { instanceNo, delivery } = await w.leasedOne();
    assert.equal(await w.store.instances.end(instanceNo), 1);
    const next = await w.instanceNo();
    const again = only(await w.claimAll(next));
    mustBeLeasedAgain(again, delivery);
    await w.deliver(next, [again]);
  });

  test("leases that the instance never heard of are given back, those it holds stay", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const [held, forgotten] = [
      await w.acceptOne(shop.id, instanceNo),
      await w.acceptOne(shop.id, instanceNo),
    ];
    assert.equal(await w.store.deliveries.releaseForgotten(instanceNo, [held]), 1);
    const again = only(await w.claimAll(instanceNo));
    mustBeLeasedAgain(again, forgotten);
    assert.equal(await w.store.deliveries.releaseForgotten(instanceNo, [held, again]), 0);
    assert.equal(await w.store.deliveries.releaseForgotten(instanceNo, [held, forgotten]), 1);
    await w.deliver(instanceNo, [held, only(await w.claimAll(instanceNo))]);
  });

  test("a new start of the process that owns the store takes over at once; others wait for the lease", async () => {
    const { instanceNo, delivery } = await w.leasedOne();
    await w.harness.reopen();
    let next = await w.instanceNo();
    const place = (await w.places()).get(delivery.seq);
    assert.equal(place?.place, w.store.exclusive ? "pending" : "leased");
    if (!w.store.exclusive) {
      await crash(w, instanceNo);
      next = await w.instanceNo();
    }
    assert.equal(only(await w.claimAll(next)).suspicion, 1);
    await w.deliver(next, [delivery]);
  });

  test("instances are listed with their names, their heartbeats and whether they suspect their networks", async () => {
    const instanceNo = await w.instanceNo("here");
    const listed = await w.store.instances.list();
    const one = listed.find((instance) => instance.instanceNo === instanceNo);
    assert.deepEqual([one?.name, one?.version], ["here", "1.0.0"]);
    assert.equal(one?.networkSuspected, false);
    await w.harness.advance(1000);
    await w.store.instances.renew(instanceNo, true);
    const later = (await w.store.instances.list()).find(
      (instance) => instance.instanceNo === instanceNo,
    );
    assert.ok((later?.renewedAt ?? 0) >= (one?.renewedAt ?? 0) + 1000);
    assert.equal(later?.networkSuspected, true);
    await w.store.instances.renew(instanceNo, false);
    assert.ok((await w.store.instances.list()).every((any) => !any.networkSuspected));
  });

  test("whatever instances accept while they are judged, nothing is stranded", async () => {
    const other = await w.another();
    const shop = await w.shop();
    for (let round = 0; round < 25; round += 1) {
      const instanceNo = await w.instanceNo("judged");
      const beat = await beatOf(w.store, instanceNo);
      const [outcome] = await Promise.all([
        w.store.events.accept(w.purchases(shop.id, 10), budget(instanceNo)),
        other.deliveries.rescue([beat]),
        w.store.deliveries.claim(claim(instanceNo)).catch(() => null),
      ]);
      assert.equal(outcome.results.length, 10);
      await other.deliveries.rescue([beat]);
      assert.deepEqual(
        await w.harness.rows("leased"),
        [],
        "every lease of a dead instance_no is free",
      );
    }
    await w.drain(await w.instanceNo());
  });
}

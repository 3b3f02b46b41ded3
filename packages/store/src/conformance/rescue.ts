import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import type { RescueOutcome } from "../port/deliveries.ts";
import { shownNotices } from "./notices.ts";
import { claim, event, LEASE_MS, offer, only, retried, settled, type World } from "./world.ts";

export function testRescue(world: () => World): void {
  test("a life that missed its heartbeat is ended and what it held comes back, as a suspect, without an attempt", async () => {
    const w = world();
    const shop = await w.shop();
    const dead = await w.life("dead");
    const birth = await w.born(shop.id, dead);
    await w.harness.advance(LEASE_MS + 1);
    const own = w.store.exclusive ? dead + 1000 : await w.life("own");
    const outcome = await w.store.deliveries.rescue(own, LEASE_MS);
    assert.ok(outcome.lives.includes(dead) && outcome.rescued >= 1 && outcome.quarantined === 0);
    assert.equal(await w.store.instances.renew(dead), false);
    const next = w.store.exclusive ? await w.life() : own;
    const again = (await w.claimAll(next)).find((one) => one.seq === birth.seq);
    assert.deepEqual([again?.attempts, again?.suspicion], [0, 1]);
    assert.deepEqual((await w.settle(dead, [settled(birth, { kind: "release" })])).refused, [
      birth.seq,
    ]);
    if (again !== undefined) await w.deliver(next, [again]);
  });

  test("nobody judges its own life, nor one whose heart beats", async () => {
    const w = world();
    const shop = await w.shop();
    const own = await w.life("own");
    const birth = await w.born(shop.id, own);
    await w.harness.advance(LEASE_MS + 1);
    assert.deepEqual((await w.store.deliveries.rescue(own, LEASE_MS)).rescued, 0);
    assert.equal(await w.store.instances.renew(own), true);
    const outcome = await w.store.deliveries.rescue(own + 1000, LEASE_MS);
    assert.deepEqual([outcome.lives.includes(own), outcome.rescued], [false, 0]);
    assert.equal((await w.places()).get(birth.seq)?.place, "live");
    await w.deliver(own, [birth]);
    await w.store.instances.end(own);
  });

  test("a lease whose life has no row is freed", async () => {
    const w = world();
    const shop = await w.shop();
    const life = await w.life();
    const birth = await w.born(shop.id, life);
    await w.harness.advance(LEASE_MS + 1);
    // Two rescues of the same life: the second finds no row of it and nothing left to free.
    assert.equal((await w.store.deliveries.rescue(life + 1000, LEASE_MS)).rescued, 1);
    assert.equal((await w.store.deliveries.rescue(life + 1000, LEASE_MS)).rescued, 0);
    assert.equal((await w.places()).get(birth.seq)?.place, "waiting");
    await w.drain(await w.life());
  });

  test("a request that was marked as started and lost its process leaves an attempt of unknown outcome", async () => {
    const w = world();
    const shop = await w.shop();
    const life = await w.life();
    const birth = await w.born(shop.id, life);
    await w.store.deliveries.markStarted(life, [birth]);
    await crash(w, life);
    const next = await w.life();
    const again = only(await w.claimAll(next));
    assert.deepEqual([again.attempts, again.suspicion], [1, 1]);
    const detail = await w.store.log.find(deliveryId(birth), null);
    assert.deepEqual(
      detail?.attemptRecords.map((one) => [one.number, one.outcome]),
      [[1, "outcome_unknown"]],
    );
    assert.equal(detail?.lastOutcome, "outcome_unknown");
    await w.deliver(next, [again]);
    const ended = await w.store.log.find(deliveryId(birth), null);
    assert.deepEqual(
      ended?.attemptRecords.map((one) => [one.number, one.outcome]),
      [
        [1, "outcome_unknown"],
        [2, "ok"],
      ],
    );
  });

  test("what ends process after process is one level more suspect each time, and in the end quarantined: not dead", async () => {
    const w = world();
    const shop = await w.shop();
    let life = await w.life();
    let suspect = await w.born(shop.id, life);
    let innocent = await w.born(shop.id, life);
    for (let ends = 1; ends <= 10; ends += 1) {
      assert.deepEqual(await w.store.deliveries.markStarted(life, [suspect]), [suspect.seq]);
      const outcome = await crash(w, life);
      assert.deepEqual(
        outcome.suspects,
        ends === 1
          ? [{ level: 1, count: 2 }]
          : [
              { level: 1, count: 1 },
              { level: ends, count: 1 },
            ],
      );
      life = await w.life();
      const back = await w.claimAll(life);
      assert.deepEqual(
        back.map(({ seq, suspicion }) => [seq, suspicion]),
        [
          [suspect.seq, ends],
          [innocent.seq, 1],
        ],
      );
      [suspect, innocent] = [must(back[0]), must(back[1])];
    }
    await w.store.deliveries.markStarted(life, [suspect]);
    assert.equal((await crash(w, life)).quarantined, 1);
    life = await w.life();
    const back = only(await w.claimAll(life));
    assert.equal(back.seq, innocent.seq);
    await w.deliver(life, [back]);

    const detail = must(await w.store.log.find(deliveryId(suspect), null));
    assert.deepEqual(
      [detail.state, detail.reason, detail.attempts],
      ["pending", "quarantined", 11],
    );
    const now = await w.store.maintenance.now();
    const hour = 3_600_000;
    assert.ok(Math.abs((detail.dueAt ?? 0) - now - hour) < LEASE_MS);
    const notices = await shownNotices(w, shop.ownerId);
    const notice = only(notices.filter(({ kind }) => kind === "delivery_quarantined"));
    assert.equal(notice.webhookId, shop.hooks[0]?.id);

    await w.harness.advance(hour);
    await w.store.instances.renew(life);
    const again = only(await w.claimAll(life));
    assert.deepEqual(
      [again.seq, again.suspicion],
      [suspect.seq, 11],
      "no healthy minute clears it",
    );
    await w.store.deliveries.markStarted(life, [again]);
    await crash(w, life);
    const later = must(await w.store.log.find(deliveryId(suspect), null));
    assert.ok((later.dueAt ?? 0) - (await w.store.maintenance.now()) > 1.9 * hour);
    await w.harness.advance(2 * hour);
    const last = await w.life();
    await w.deliver(last, await w.claimAll(last));
  });

  test("nobody is quarantined for an end at which another one was on its way too", async () => {
    const w = world();
    const shop = await w.shop();
    let life = await w.life();
    let pair = [await w.born(shop.id, life), await w.born(shop.id, life)];
    for (let ends = 1; ends <= 13; ends += 1) {
      await w.store.deliveries.markStarted(life, pair);
      assert.equal((await crash(w, life)).quarantined, 0);
      life = await w.life();
      pair = await w.claimAll(life);
      assert.deepEqual(
        pair.map(({ suspicion }) => suspicion),
        [Math.min(ends, 10), Math.min(ends, 10)],
      );
    }
    await w.deliver(life, pair);
  });

  test("after a healthy minute nobody is treated as suspect, and who ends a process again goes on from there", async () => {
    const w = world();
    const shop = await w.shop();
    let life = await w.life();
    let one = await w.born(shop.id, life);
    for (const level of [1, 2]) {
      await w.store.deliveries.markStarted(life, [one]);
      await crash(w, life);
      life = await w.life();
      one = only(await w.claimAll(life));
      assert.equal(one.suspicion, level);
    }
    await w.settle(life, [{ ...settled(one, { kind: "release" }), attempt: null }]);
    await w.harness.advance(60_001);
    await w.store.instances.renew(life);
    one = only(await w.claimAll(life));
    assert.equal(one.suspicion, 0);
    await crash(w, life);
    life = await w.life();
    one = only(await w.claimAll(life));
    assert.equal(one.suspicion, 2);
    await w.deliver(life, [one]);
  });

  test("what a process held that goes on under another life is not suspect", async () => {
    const w = world();
    const shop = await w.shop();
    const lost = await w.life();
    const marked = await w.born(shop.id, lost);
    await w.born(shop.id, lost);
    await w.store.deliveries.markStarted(lost, [marked]);
    // Others may have found it dead before it tells.
    if (!w.store.exclusive) await crash(w, lost);
    const { life, givenBack } = await w.store.instances.start("again", "1.0.0", lost);
    if (w.store.exclusive) assert.deepEqual([givenBack?.rescued, givenBack?.suspects], [2, []]);
    const back = await w.claimAll(life);
    assert.deepEqual(
      back.map(({ suspicion }) => suspicion),
      [0, 0],
    );
    await w.deliver(life, back);
    if (w.store.exclusive) return;

    // Or nobody has yet.
    const second = await w.born(shop.id, life);
    await w.store.deliveries.markStarted(life, [second]);
    const after = await w.store.instances.start("again", "1.0.0", life);
    await w.harness.advance(LEASE_MS + 1);
    await w.store.instances.renew(after.life);
    const outcome = await w.store.deliveries.rescue(after.life, LEASE_MS);
    assert.deepEqual([outcome.rescued, outcome.suspects], [1, []]);
    assert.equal(only(await w.claimAll(after.life)).suspicion, 0);
    await w.drain(after.life);
  });

  test("what a dead process held is due at one moment, and so claimed in the order of its numbers", async () => {
    const w = world();
    const shop = await w.shop();
    const dead = await w.life();
    const items = Array.from({ length: 500 }, () => event(shop.id, "purchase", w.user()));
    const { births } = await w.store.events.accept(items, offer(dead, { share: items.length }));
    assert.equal(births.length, items.length);
    await crash(w, dead);
    const life = await w.life();
    const back = await w.claimAll(life);
    assert.deepEqual(
      back.map(({ seq }) => seq),
      births.map(({ seq }) => seq).toSorted((a, b) => a - b),
    );
    await w.deliver(life, back);
  });

  test("a request whose end was recorded clears the suspicion: it crashed nobody", async () => {
    const w = world();
    const shop = await w.shop();
    const first = await w.life();
    const birth = await w.born(shop.id, first);
    await crash(w, first);
    const second = await w.life();
    const rescued = only(await w.claimAll(second));
    assert.deepEqual([rescued.seq, rescued.suspicion], [birth.seq, 1]);
    await w.settle(second, [retried(rescued, 0)]);
    const again = only(await w.claimAll(second));
    assert.deepEqual([again.seq, again.attempts, again.suspicion], [birth.seq, 1, 0]);
    await w.deliver(second, [again]);
  });

  test("a graceful end gives back what is held and suspects nothing", async () => {
    const w = world();
    const shop = await w.shop();
    const life = await w.life();
    const birth = await w.born(shop.id, life);
    assert.equal(await w.store.instances.end(life), 1);
    const next = await w.life();
    const again = only(await w.claimAll(next));
    assert.deepEqual(again, { ...birth, lease: birth.lease + 1 });
    await w.deliver(next, [again]);
  });

  test("leases that the instance never heard of are given back, those it holds stay", async () => {
    const w = world();
    const shop = await w.shop();
    const life = await w.life();
    const [held, forgotten] = [await w.born(shop.id, life), await w.born(shop.id, life)];
    assert.equal(await w.store.deliveries.releaseForgotten(life, [held]), 1);
    const again = only(await w.claimAll(life));
    assert.deepEqual(again, { ...forgotten, lease: forgotten.lease + 1 });
    assert.equal(await w.store.deliveries.releaseForgotten(life, [held, again]), 0);
    assert.equal(await w.store.deliveries.releaseForgotten(life, [held, forgotten]), 1);
    await w.deliver(life, [held, only(await w.claimAll(life))]);
  });

  test("a new start of the process that owns the store takes over at once; others wait for the lease", async () => {
    const w = world();
    const shop = await w.shop();
    const life = await w.life();
    const birth = await w.born(shop.id, life);
    await w.harness.reopen();
    let next = await w.life();
    const place = (await w.places()).get(birth.seq);
    assert.equal(place?.place, w.store.exclusive ? "waiting" : "live");
    if (!w.store.exclusive) {
      await crash(w, life);
      next = await w.life();
    }
    assert.equal(only(await w.claimAll(next)).suspicion, 1);
    await w.deliver(next, [birth]);
  });

  test("lives are listed with their names and heartbeats", async () => {
    const w = world();
    const life = await w.life("here");
    const listed = await w.store.instances.list();
    const one = listed.find((instance) => instance.life === life);
    assert.deepEqual([one?.name, one?.version], ["here", "1.0.0"]);
    await w.harness.advance(1000);
    await w.store.instances.renew(life);
    const later = (await w.store.instances.list()).find((instance) => instance.life === life);
    assert.ok((later?.renewedAt ?? 0) >= (one?.renewedAt ?? 0) + 1000);
  });

  test("whatever instances accept while they are judged, nothing is stranded", async () => {
    const w = world();
    const other = w.harness.openAnother === null ? w.store : await w.harness.openAnother();
    const shop = await w.shop();
    for (let round = 0; round < 25; round += 1) {
      const life = await w.life("judged");
      await w.harness.advance(LEASE_MS + 1);
      const [outcome] = await Promise.all([
        w.store.events.accept(
          Array.from({ length: 10 }, () => event(shop.id, "purchase", w.user())),
          offer(life),
        ),
        other.deliveries.rescue(life + 100_000, LEASE_MS),
        w.store.deliveries.claim(claim(life)).catch(() => null),
      ]);
      assert.equal(outcome.results.length, 10);
      await other.deliveries.rescue(life + 100_000, LEASE_MS);
      assert.deepEqual(await w.harness.rows("live"), [], "every lease of a dead life is free");
    }
    await w.drain(await w.life());
  });
}

/** The process is gone and somebody else finds out. */
async function crash(w: World, life: number): Promise<RescueOutcome> {
  await w.harness.advance(LEASE_MS + 1);
  return await w.store.deliveries.rescue(life + 100_000, LEASE_MS);
}

function must<T>(value: T | null | undefined): T {
  assert.ok(value !== null && value !== undefined);
  return value;
}

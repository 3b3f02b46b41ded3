import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { erase } from "./erasure.ts";
import { beatOf, crash } from "./leases.ts";
import { each, newest } from "./lists.ts";
import { allOf, event } from "./reports.ts";
import { claim, DAY, retried } from "./settlements.ts";
import type { World } from "./world.ts";

/** JavaScript has no such number. */
const HUGE = "1152921504606846977";
/** Of events. Their deliveries would have numbers that JavaScript does not have, or that no column holds. */
const EVENTS = [
  "70368744177665",
  "144115188075855873",
  HUGE,
  "9223372036854775807",
  "-9223372036854775807",
];
/** The largest number of a column of four bytes. */
const MOST = 2 ** 31 - 1;
const PAGE = newest(10);

/** A number written by hand, or by a fault of a disk, in one row: everything goes on without it. */
export function testHugeNumbers(w: World): void {
  /** A delivery that has ended, and one that ended long ago. */
  async function endedTwice() {
    const { instanceNo, shop } = await w.shopAndInstance();
    const [odd, usual] = [
      await w.acceptOne(shop.id, instanceNo),
      await w.acceptOne(shop.id, instanceNo),
    ];
    await w.deliver(instanceNo, [odd, usual]);
    return { shop, odd, usual };
  }

  const found = async (ownerId: string | null): Promise<number[]> =>
    (await w.store.log.list({ ownerId }, PAGE)).items.map(({ seq }) => seq);

  for (const column of ["created_at", "ended_at"]) {
    test(`pruning and the log go past an ended delivery with an impossible ${column}`, async () => {
      const { shop, odd, usual } = await endedTwice();
      await w.harness.tamper(`update ended set ${column} = ${HUGE} where seq = ${odd.seq}`);
      assert.deepEqual(await found(shop.ownerId), [usual.seq, odd.seq]);
      assert.equal((await w.store.log.find(deliveryId(odd), null))?.state, "delivered");
      await w.harness.advance(40 * DAY);
      await pruneAll(w);
      assert.equal(await w.state(usual.seq), undefined);
      await w.harness.tamper(`delete from ended where seq = ${odd.seq}`);
    });
  }

  test("pruning and the log go past an ended delivery with an impossible number", async () => {
    const { shop, odd, usual } = await endedTwice();
    await w.harness.tamper(`update ended set seq = ${HUGE} where seq = ${odd.seq}`);
    assert.ok((await found(shop.ownerId)).includes(usual.seq));
    assert.ok((await found(null)).includes(usual.seq));
    await w.store.log.failures(shop.hook.id, shop.ownerId);
    await w.store.log.watch([shop.hook.no], 10);
    const range = allOf(shop.hook.id);
    const { count } = await w.store.log.countReplay({ ...range, states: ["delivered"] });
    assert.equal(count, 1);
    await w.store.log.countMissing({ ...range, confirmed: false });
    await w.harness.advance(40 * DAY);
    await pruneAll(w);
    assert.equal(await w.state(usual.seq), undefined);
    await w.harness.tamper(`delete from ended where seq = ${HUGE}`);
  });

  for (const seq of EVENTS) {
    test(`pruning, the log and the list of events go past an event with the number ${seq}`, async () => {
      const { shop, odd, usual } = await endedTwice();
      await w.harness.tamper(`update events set seq = ${seq} where seq = ${odd.eventSeq}`);
      const now = await w.store.maintenance.now();
      const asked = { ownerId: shop.ownerId, from: now - DAY, to: now + DAY };
      assert.deepEqual(each((await w.store.log.list(asked, PAGE)).items, "seq"), [usual.seq]);
      assert.ok((await w.store.events.list({ ownerId: shop.ownerId }, PAGE)).items.length > 0);
      await w.harness.advance(40 * DAY);
      await pruneAll(w);
      assert.equal(await w.state(usual.seq), undefined);
      const left = (await w.harness.rows("events")).map((row) => Number(row["seq"]));
      assert.ok(!left.includes(usual.eventSeq));
      await w.harness.tamper(`delete from events where seq = ${seq}`);
    });
  }

  for (const column of ["accepted_at", "touched_at", "time", "user_id"]) {
    test(`pruning and the list of events go past an event with an impossible ${column}`, async () => {
      const { shop, odd, usual } = await endedTwice();
      await w.harness.tamper(`update events set ${column} = ${HUGE} where seq = ${odd.eventSeq}`);
      assert.equal((await w.store.events.list({ ownerId: shop.ownerId }, PAGE)).items.length, 2);
      assert.deepEqual(await found(shop.ownerId), [usual.seq, odd.seq]);
      await w.harness.advance(40 * DAY);
      await pruneAll(w);
      const left = (await w.harness.rows("events")).map((row) => Number(row["seq"]));
      assert.ok(!left.includes(usual.eventSeq));
      await w.harness.tamper(`delete from events where seq = ${odd.eventSeq}`);
    });
  }

  for (const seq of EVENTS) {
    test(`an erasure comes to its end past an event with the number ${seq}`, async () => {
      const { shop, odd, usual } = await endedTwice();
      const user = usual.orderKey ?? 0;
      await w.harness.tamper(
        `update events set seq = ${seq}, user_id = ${user} where seq = ${odd.eventSeq}`,
      );
      await erase(w, user);
      const delivery = await w.store.log.find(deliveryId(usual), shop.ownerId);
      assert.match(delivery?.payload ?? "", /"user":\{"id":0\}/);
      await w.harness.tamper(`delete from events where seq = ${seq}`);
    });
  }

  test("pruning goes past a notice with an impossible time", async () => {
    const shop = await w.shop();
    const id = shop.hook.id;
    for (const url of ["https://one.example", "https://two.example"])
      await w.store.webhooks.change(id, null, { url });
    const [odd, usual] = await w.store.notices.list(0, 10, shop.ownerId);
    await w.harness.tamper(`update notices set created_at = ${HUGE} where no = ${odd?.no}`);
    assert.equal((await w.store.notices.list(0, 10, shop.ownerId)).length, 2);
    await w.harness.advance(40 * DAY);
    await pruneAll(w);
    const left = await w.store.notices.list(0, 10, shop.ownerId);
    assert.deepEqual(each(left, "no"), [odd?.no]);
    assert.ok(usual);
    await w.harness.tamper(`delete from notices where no = ${odd?.no}`);
  });

  for (const column of ["created_at", "planned_at", "order_key", "seq", "event_seq"]) {
    test(`claims go past a waiting delivery with an impossible ${column}`, async () => {
      const [bad, good] = [await w.shop(), await w.shop()];
      await w.accept([event(bad.id, "purchase", 1), event(good.id, "purchase", 1)]);
      const no = bad.hook.no;
      await w.harness.tamper(`update pending set ${column} = ${HUGE} where webhook_no = ${no}`);
      await w.store.log.list({ ownerId: bad.ownerId }, PAGE);
      const instanceNo = await w.instanceNo();
      const { deliveries } = await w.store.deliveries.claim(claim(instanceNo));
      assert.ok(deliveries.some(({ webhookNo }) => webhookNo === good.hook.no));
      await w.store.deliveries.oldestDue(0, Number.MAX_SAFE_INTEGER, 10);
      await w.deliver(instanceNo, deliveries);
      await w.store.instances.end(instanceNo);
      await w.harness.tamper(`delete from pending where webhook_no = ${no}`);
    });
  }

  for (const column of ["created_at", "planned_at", "order_key", "seq", "event_seq"]) {
    test(`a rescue goes past a leased delivery with an impossible ${column}`, async () => {
      const [bad, good] = [await w.shop(), await w.shop()];
      const dead = await w.instanceNo("dead");
      const held = [await w.acceptOne(bad.id, dead), await w.acceptOne(good.id, dead)];
      await w.store.deliveries.markStarted(dead, held);
      const no = bad.hook.no;
      await w.harness.tamper(`update leased set ${column} = ${HUGE} where webhook_no = ${no}`);
      assert.equal((await crash(w, dead)).rescued, 2);
      const next = await w.instanceNo("next");
      const { deliveries } = await w.store.deliveries.claim(claim(next));
      assert.ok(deliveries.some(({ seq }) => seq === held[1]?.seq));
      await w.deliver(next, deliveries);
      await w.harness.tamper(`delete from pending where webhook_no = ${no}`);
    });
  }

  for (const column of ["attempts", "suspicion", "lease", "step", "throttled"]) {
    test(`a leased delivery whose ${column} is as large as it can be holds up no other: neither a rescue nor a claim`, async () => {
      const [bad, good] = [await w.shop(), await w.shop()];
      const dead = await w.instanceNo("dead");
      const odd = await w.acceptOne(bad.id, dead);
      await w.store.deliveries.markStarted(dead, [odd]);
      await w.harness.tamper(`update leased set ${column} = ${MOST} where seq = ${odd.seq}`);
      assert.equal((await crash(w, dead)).rescued, 1);
      await w.harness.advance(DAY + 1);
      const next = await w.instanceNo("next");
      const usual = await w.acceptOne(good.id, next);
      await w.deliver(next, [usual, ...(await w.claimAll(next))]);
      assert.equal(await w.state(usual.seq), "delivered");
      await w.store.instances.end(next);
    });
  }

  test("a waiting delivery that was behind another one as often as can be counted holds up no other", async () => {
    const [bad, good] = [await w.shop(), await w.shop()];
    const user = w.user();
    await w.accept([1, 2].map(() => event(bad.id, "purchase", user)));
    await w.accept([event(good.id, "purchase", user)]);
    await w.harness.tamper(`update pending set blocked = 32767 where seq > 0`);
    const instanceNo = await w.instanceNo();
    assert.equal((await w.claimAll(instanceNo)).length, 2);
  });

  for (const due of ["-9223372036854775807", HUGE]) {
    test(`a waiting delivery that is due at ${due} leaves the age of the backlog to be read, and can be sent now`, async () => {
      const { instanceNo, shop } = await w.shopAndInstance();
      const [odd, usual] = [
        await w.acceptOne(shop.id, instanceNo),
        await w.acceptOne(shop.id, instanceNo),
      ];
      await w.settle(instanceNo, [retried(odd, DAY), retried(usual, DAY)]);
      await w.harness.tamper(
        `update pending set due_at = ${due}, kind = 30 where seq = ${odd.seq}`,
      );
      const { log, deliveries } = w.store;
      const { id } = shop.hook;
      const { ageMs } = await deliveries.oldestDue(0, Number.MAX_SAFE_INTEGER, 10);
      assert.ok(ageMs >= 0);
      await log.countWaiting(id, null);
      await log.sendNow(deliveryId(usual), null);
      await log.sendNow(deliveryId(odd), null);
      await w.harness.tamper(`update pending set due_at = ${due} where seq = ${odd.seq}`);
      await log.sendWaitingStep(id, null, null, 10);
      await log.stopWaitingStep(id, null, 10);
      await log.sendNow(deliveryId(usual), null);
      const claimed = await w.claimAll(instanceNo);
      assert.deepEqual(each(claimed, "seq"), [usual.seq]);
      await w.deliver(instanceNo, claimed);
      await w.harness.tamper(`delete from pending where seq = ${odd.seq}`);
    });
  }

  for (const at of [HUGE, `-${HUGE}`]) {
    test(`the deliveries of an instance that was last seen at ${at} are given back`, async () => {
      const shop = await w.shop();
      const odd = await w.instanceNo("odd");
      await w.acceptOne(shop.id, odd);
      await w.harness.tamper(`update instances set renewed_at = ${at} where instance_no = ${odd}`);
      const outcome = await w.store.deliveries.rescue([await beatOf(w.store, odd)]);
      assert.deepEqual([outcome.instanceNos, outcome.rescued], [[odd], 1]);
    });
  }

  test("a rescue goes past an instance with impossible times, and a start past one with an impossible number", async () => {
    const dead = await w.instanceNo("dead");
    const shop = await w.shop();
    await w.acceptOne(shop.id, dead);
    await w.harness.tamper(
      `insert into instances (instance_no, name, version, started_at, renewed_at) values (7, 'odd', '1', ${HUGE}, ${HUGE})`,
    );
    assert.equal((await crash(w, dead)).rescued, 1);
    await w.harness.tamper(`update instances set instance_no = ${HUGE} where name = 'odd'`);
    await w.instanceNo("next");
    await w.harness.tamper("delete from instances where name = 'odd'");
  });
}

/** In steps of two rows. */
async function pruneAll(w: World): Promise<void> {
  await w.prune(30 * DAY, 1000 * DAY, 2);
}

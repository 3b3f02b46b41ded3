import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import type { Settlement } from "../port/deliveries.ts";
import type { ReplayFilter } from "../port/delivery-log.ts";
import { only } from "./checks.ts";
import { numbersTo } from "./lists.ts";
import { DAY, DEAD, HOUR, MINUTE, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testGivenUp(w: World): void {
  async function giveUp(resourceId: string, reason = "attempts_exhausted"): Promise<string> {
    const instanceNo = await w.instanceNo();
    const delivery = await w.acceptOne(resourceId, instanceNo);
    const settlement: Settlement = settled(delivery, { kind: "end", state: "dead", reason });
    await w.settle(instanceNo, [settlement]);
    await w.store.instances.end(instanceNo);
    return deliveryId(delivery);
  }

  const tell = async (limit = 10): Promise<number> =>
    await w.store.maintenance.tellGivenUp(30 * DAY, limit);

  test("the deliveries that were given up in an hour are told once for each webhook, a minute after the hour", async () => {
    const shops = [await w.shop(), await w.shop()] as const;
    await w.beginHour();
    while ((await tell()) > 0);
    const first = await giveUp(shops[0].id);
    await giveUp(shops[0].id);
    const last = await giveUp(shops[0].id);
    const other = await giveUp(shops[1].id);
    await w.harness.advance(HOUR + MINUTE);
    assert.deepEqual([await tell(1), await tell(), await tell()], [1, 1, 0]);
    const notices = await w.notices(shops[0].ownerId);
    const notice = only(notices.filter(({ kind }) => kind === "delivery_exhausted"));
    assert.equal(notice.webhookId, only(shops[0].hooks).id);
    const { hour, count, ...detail } = notice.detail;
    assert.match(String(hour), /^\d{4}-\d\d-\d\dT\d\d:00:00.000Z$/);
    assert.equal(count, 3);
    assert.deepEqual(detail, {
      firstDeliveryId: first,
      lastDeliveryId: last,
      lastOutcome: "ok",
      lastStatus: 200,
    });
    const theirs = only(await w.notices(shops[1].ownerId));
    assert.deepEqual(
      [theirs.detail["count"], theirs.detail["firstDeliveryId"], theirs.detail["lastDeliveryId"]],
      [1, other, other],
    );
  });

  for (const [hour, done] of [
    // Told, and deleted at once, because it is so old.
    ["-9000000000000", 3],
    ["-1152921504606846977", 1],
  ] as const) {
    test(`an impossible hour (${hour}) keeps no other webhook's from being told`, async () => {
      const [odd, usual] = [await w.shop(), await w.shop()];
      await w.harness.advance(HOUR);
      while ((await tell()) > 0);
      for (const { id } of [odd, usual]) await giveUp(id);
      const no = odd.hook.no;
      await w.harness.tamper(`update given_up set hour = ${hour} where webhook_no = ${no}`);
      await w.harness.advance(HOUR + MINUTE);
      assert.deepEqual([await tell(), await tell()], [done, 0]);
      const [notice] = await w.notices(usual.ownerId);
      assert.equal(notice?.kind, "delivery_exhausted");
      await w.harness.tamper(`delete from given_up where webhook_no = ${no}`);
    });
  }

  test("a webhook shows what was given up within a week", async () => {
    const shop = await w.shop();
    const { hook } = shop;
    assert.equal(hook.givenUp, null);
    await giveUp(shop.id);
    await w.harness.advance(2 * HOUR);
    await giveUp(shop.id);
    const { givenUp } = await w.store.webhooks.get(hook.id, null);
    assert.equal(givenUp?.count, 2);
    await w.harness.advance(8 * DAY);
    assert.equal((await w.store.webhooks.get(hook.id, null)).givenUp, null);
  });

  test("a delivery that its receiver asked to stop is not told as given up", async () => {
    const shop = await w.shop();
    for (const reason of ["aborted_by_receiver", "gone", "disabled_by_receiver"]) {
      await giveUp(shop.id, reason);
    }
    assert.equal((await w.store.webhooks.get(shop.hook.id, null)).givenUp, null);
  });

  test("a delivery that is sent again is not shown or told as given up any more, unless it is given up again", async () => {
    const shop = await w.shop();
    const { hook } = shop;
    const from = await w.store.maintenance.now();
    const first = await giveUp(shop.id);
    await w.harness.advance(2 * HOUR);
    while ((await tell()) > 0);
    for (const _ of [1, 2]) await giveUp(shop.id);
    const shown = async () => (await w.store.webhooks.get(hook.id, null)).givenUp;
    const before = await shown();
    const range = { webhookId: hook.id, ownerId: null, from, to: from + DAY };
    const failed: ReplayFilter = { ...range, states: ["dead"] };
    const count = async (filter = failed) => (await w.store.log.countReplay(filter)).count;
    assert.deepEqual([before?.count, await count()], [3, 3]);

    // One of them, twice: it is counted once.
    await w.store.log.redeliver(first, null, true);
    await w.store.log.redeliver(first, null, true);
    const { count: left, since } = (await shown()) ?? {};
    assert.deepEqual([left, await count()], [2, 2]);
    assert.ok(Number(since) > Number(before?.since), "the hour of the first that is left");
    const instanceNo = await w.instanceNo();
    for (const _ of [1, 2]) {
      // The second one waits for the first, which is about the same buyer.
      const again = only(await w.claimAll(instanceNo));
      await w.harness.advance(1000);
      await w.settle(instanceNo, [settled(again, DEAD)]);
    }
    assert.deepEqual([(await shown())?.count, await count()], [4, 3]);

    // All of them: each event once.
    await w.store.log.replayStep(failed, 0, 10);
    assert.deepEqual([await shown(), await count()], [null, 0]);
    await w.drain(instanceNo);
    assert.equal(await count(), 0, "they have arrived");
    assert.equal(await count({ ...failed, states: ["dead", "delivered"] }), 3);
    await w.store.instances.end(instanceNo);
  });

  test("counts that were told long ago are deleted in steps, however many there are", async () => {
    const { no } = (await w.shop()).hook;
    while ((await tell()) > 0);
    await w.harness.tamper(
      `insert into given_up (webhook_no, hour, count, first_seq, last_seq, told)
         ${numbersTo(w.store, 2500)} select ${no}, i, 1, 1, 1, 1 from n`,
    );
    const left = async () => (await w.rowsOf("given_up", no)).length;
    for (const some of [1500, 500, 0]) {
      assert.ok((await tell()) > 0);
      assert.equal(await left(), some);
    }
    assert.equal(await tell(), 0);
  });

  test("with its webhook goes what was given up, and is not told", async () => {
    const shop = await w.shop();
    await giveUp(shop.id);
    const instanceNo = await w.instanceNo();
    const last = await w.acceptOne(shop.id, instanceNo);
    await w.store.webhooks.delete(shop.hook.id, null);
    // Its last request was under way.
    await w.settle(instanceNo, [settled(last, DEAD)]);
    await w.harness.advance(HOUR + MINUTE);
    while ((await tell()) > 0);
    const kinds = (await w.notices(shop.ownerId)).map(({ kind }) => kind);
    assert.ok(!kinds.includes("delivery_exhausted"));
  });
}

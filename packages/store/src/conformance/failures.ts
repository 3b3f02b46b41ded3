import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { only, refused } from "./checks.ts";
import { each } from "./lists.ts";
import { DAY, DEAD, HOUR, retry, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testFailures(w: World): void {
  /** One delivery whose last attempt came to this; it is given up, or tried again in an hour. */
  async function fail(
    resourceId: string,
    { at, givenUp, body, status = 500 }: Failure,
  ): Promise<string> {
    const instanceNo = await w.instanceNo();
    const delivery = await w.acceptOne(resourceId, instanceNo);
    const sent = { profile: 1, url: "u", nonce: "n", timestamp: 1, signature: "s" };
    const detail = JSON.stringify({ at, ...sent, body });
    const record = { outcome: "http_error", status, detail };
    const next = givenUp ? DEAD : retry(HOUR);
    await w.settle(instanceNo, [settled(delivery, next, record)]);
    await w.store.instances.end(instanceNo);
    return deliveryId(delivery);
  }

  test("failures with one cause are one group, whether given up or tried again, the newest group first", async () => {
    const shop = await w.shop();
    const { hook } = shop;
    await fail(shop.id, { at: 1000, givenUp: true, body: "database is locked, request 17" });
    await fail(shop.id, { at: 2000, givenUp: false, body: "database  is\nlocked, request 18" });
    const last = await fail(shop.id, {
      at: 3000,
      givenUp: false,
      body: "database is locked, request 19",
    });
    const other = await fail(shop.id, { at: 4000, givenUp: true, body: "", status: 404 });
    const common = { outcome: "http_error", sent: true };
    assert.deepEqual(await w.store.log.failures(hook.id, shop.ownerId), {
      groups: [
        {
          ...common,
          status: 404,
          reply: "",
          count: 1,
          givenUp: 1,
          firstAt: 4000,
          lastAt: 4000,
          deliveryId: other,
        },
        {
          ...common,
          status: 500,
          reply: "database is locked, request 19",
          count: 3,
          givenUp: 1,
          firstAt: 1000,
          lastAt: 3000,
          deliveryId: last,
        },
      ],
      others: 0,
      capped: false,
    });
    await refused(w.store.log.failures(hook.id, "somebody"), "not_found");
  });

  test("a failure that was sent again since is told no more", async () => {
    const shop = await w.shop();
    const { hook } = shop;
    const sent = await fail(shop.id, { at: 1000, givenUp: true, body: "down" });
    const left = await fail(shop.id, { at: 500, givenUp: true, body: "down" });
    await w.store.log.redeliver(sent, null, false);
    const { count, deliveryId: newest } = only(
      (await w.store.log.failures(hook.id, shop.ownerId)).groups,
    );
    assert.deepEqual([count, newest], [1, left]);
  });

  test("a delivery that was given up after several attempts stands under its last one", async () => {
    const { instanceNo, shop, delivery } = await w.leasedOne();
    const again = retry(HOUR);
    await w.settle(instanceNo, [settled(delivery, again, { outcome: "timeout", status: null })]);
    await w.harness.advance(2 * HOUR);
    const second = only(await w.claimAll(instanceNo));
    await w.settle(instanceNo, [settled(second, DEAD, { outcome: "http_error", status: 503 })]);
    const group = only((await w.store.log.failures(shop.hook.id, null)).groups);
    assert.deepEqual(
      [group.outcome, group.status, group.count, group.givenUp],
      ["http_error", 503, 1, 1],
    );
  });

  test("of many causes five are told and the others counted, and nothing of a week ago", async () => {
    const shop = await w.shop();
    const { hook } = shop;
    for (const status of [500, 501, 502, 503, 504, 505, 506]) {
      await fail(shop.id, { at: status, givenUp: true, body: "x".repeat(100), status });
    }
    const { groups, others } = await w.store.log.failures(hook.id, null);
    assert.deepEqual(each(groups, "status"), [506, 505, 504, 503, 502]);
    assert.equal(others, 2);
    assert.equal(groups[0]?.reply, `${"x".repeat(80)}…`);
    await w.harness.advance(8 * DAY);
    assert.deepEqual((await w.store.log.failures(hook.id, null)).groups, []);
  });

  test("of more than a thousand given up the newest thousand are counted, and it says so", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    await w.accept(w.purchases(shop.id, 1010));
    const record = { outcome: "timeout", status: null };
    const all = await w.claimAll(instanceNo);
    await w.settleEach(instanceNo, all, (delivery) => settled(delivery, DEAD, record));
    const { groups, capped } = await w.store.log.failures(shop.hook.id, null);
    assert.deepEqual([only(groups).count, capped], [1000, true]);
  });
}

interface Failure {
  at: number;
  givenUp: boolean;
  body: string;
  status?: number;
}

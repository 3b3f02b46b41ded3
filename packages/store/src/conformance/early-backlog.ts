import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { each } from "./lists.ts";
import { FAILED, HOUR, retry, settled } from "./settlements.ts";
import { failedMany, recover } from "./early-sending.ts";
import type { World } from "./world.ts";

/** As many as a step reads. */
const EARLY = 10_000;
const LAST = 2_000_000_000;

export function testEarlyBacklog(w: World): void {
  test("a step of a recovery reads a bounded number of deliveries that were early before, and the next goes on behind them", async () => {
    const { instanceNo, shop, delivery } = await w.leasedOne();
    await w.settle(instanceNo, [
      settled(delivery, retry(2 * HOUR), { outcome: "http_error", status: 500 }, FAILED),
    ]);
    const due = (await w.store.maintenance.now()) + HOUR;
    // Numbered from the last to the first. These were not early before.
    const others = [1, 2, EARLY + 2];
    await w.harness.tamper(
      `with recursive c (n) as (select 1 union all select n + 1 from c where n < ${2 * EARLY + 2})
       insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, planned_at, created_at)
       select ${LAST} - n, ${delivery.eventSeq}, ${delivery.webhookNo}, 2, 1000 + n, ${due} + n,
         case when n in (${String(others)}) then null else ${due} + n end, 1 from c`,
    );
    await recover(w, instanceNo, shop.id);
    const step = async (): Promise<number[]> => {
      await w.store.deliveries.pullForward(100, { perSecond: 1, doubleEveryMs: HOUR });
      return each(await w.claimAll(instanceNo), "seq");
    };
    for (const one of others) {
      assert.deepEqual(await step(), [LAST - one]);
      await w.harness.advance(1000);
    }
    assert.deepEqual(await step(), []);
    assert.equal((await w.harness.rows("pulls")).length, 1);
    assert.deepEqual(await step(), [delivery.seq]);
    await w.harness.advance(1000);
    assert.deepEqual(await step(), []);
    assert.deepEqual(await w.harness.rows("pulls"), []);
  });

  test("deliveries that are claimed while a person stops them do not count as stopped", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    await failedMany(w, instanceNo, shop.id, 50, () => HOUR);
    await w.store.log.sendWaitingStep(shop.hook.id, null, null, 100);
    const stopping = w.store.log.stopWaitingStep(shop.hook.id, null, 100);
    // On SQLite its first transaction runs now, and a claim comes before the second.
    await setImmediate();
    const claimed = await w.claimAll(instanceNo);
    const { stopped, more } = await stopping;
    assert.deepEqual([stopped + claimed.length, more], [50, false]);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AttemptCount,
  type CountScope,
  HISTORY_HOURS,
  hourOf,
  NO_REPLIES,
  OLDEST_KEPT_HOURS,
} from "../port/attempt-counts.ts";
import { counted } from "./counted.ts";
import { only } from "./checks.ts";
import { each } from "./lists.ts";
import { HOUR } from "./settlements.ts";
import type { World } from "./world.ts";

const DAY_HOURS = 24;
const ALL: CountScope = { webhookNo: null, ownerId: null, resourceId: null };
const DELIVERIES = ["leased", "pending", "ended", "attempts", "events"] as const;

/** One reply of each time. */
const ONE_EACH = NO_REPLIES.map(() => 1);

export function testCountSums(w: World): void {
  async function thisHour(): Promise<number> {
    return hourOf(await w.store.maintenance.now());
  }

  function count(webhookNo: number, hour: number, change: Partial<AttemptCount> = {}) {
    return counted(webhookNo, hour * HOUR, { replies: ONE_EACH, ...change });
  }

  const add = async (...counts: AttemptCount[]) => await w.store.attemptCounts.add(counts);

  async function sums(scope: Partial<CountScope>, firstHour: number, stepHours: number, steps = 1) {
    const range = { firstHour, stepHours, steps };
    return await w.store.attemptCounts.sums({ ...ALL, ...scope }, range);
  }

  test("a webhook's counts are summed step by step, and steps in which nothing was sent are left out", async () => {
    const webhookNo = (await w.shop()).hook.no;
    const hour = await thisHour();
    await add(count(webhookNo, hour - 9), count(webhookNo, hour - 8, { failed: 3, givenUp: 2 }));
    await add(count(webhookNo, hour), count(webhookNo, hour - 8), count(webhookNo, hour + 1));
    const twice = { failed: 3, givenUp: 2, replies: ONE_EACH.map(() => 3) };
    assert.deepEqual(await sums({ webhookNo }, hour - 9, 5, 2), [
      { step: 0, ok: 3, ...twice },
      { step: 1, ok: 1, failed: 0, givenUp: 0, replies: ONE_EACH },
    ]);
    assert.deepEqual(await sums({ webhookNo }, hour - 7, 1, 7), []);
    // What was only pinged.
    await add(count(webhookNo, hour - 3, { ok: 0, replies: NO_REPLIES }));
    assert.deepEqual(await sums({ webhookNo }, hour - 3, 1), []);
  });

  test("an owner's and a resource's sums have their webhooks, and the sum of all has every webhook, deleted ones too", async () => {
    const { webhooks } = w.store;
    const one = await w.shop(2);
    const other = await w.shop();
    const sibling = await w.resource(one.ownerId);
    const third = await w.webhook(sibling.id);
    const hour = await thisHour();
    const of = async (scope: Partial<CountScope>) => (await sums(scope, hour, 1))[0]?.ok ?? 0;
    const before = await of({});
    const nos = [...one.hooks, ...other.hooks, third].map(({ no }) => no);
    await add(...nos.map((no) => count(no, hour)));
    assert.equal(await of({ ownerId: one.ownerId }), 3);
    assert.equal(await of({ ownerId: one.ownerId, resourceId: one.id }), 2);
    assert.equal(await of({ resourceId: sibling.id }), 1);
    assert.equal(await of({ ownerId: other.ownerId, webhookNo: third.no }), 0);
    assert.equal(await of({ ownerId: one.ownerId, webhookNo: third.no }), 1);
    await webhooks.delete(third.id, null);
    assert.equal(await of({ ownerId: one.ownerId }), 2);
    assert.equal((await of({})) - before, 4);
  });

  test("the sums of a month are whole when hours move to the history, and older hours are forgotten", async () => {
    const webhookNo = (await w.shop()).hook.no;
    await w.beginHour();
    const start = await thisHour();
    const days = 35;
    for (let day = 0; day < days; day += 1) {
      const hour = await thisHour();
      await add(count(webhookNo, hour));
      await w.harness.advance(DAY_HOURS * HOUR);
    }
    await add(count(webhookNo, await thisHour()));
    const all = await sums({ webhookNo }, start, DAY_HOURS, days + 1);
    const kept = HISTORY_HOURS / DAY_HOURS;
    assert.deepEqual(
      each(all, "step"),
      Array.from({ length: kept + 1 }, (_, index) => days - kept + index),
    );
    assert.ok(all.every(({ ok, replies }) => ok === 1 && replies.join() === ONE_EACH.join()));
    const counts = await w.store.attemptCounts.list([webhookNo]);
    assert.equal(counts.length, OLDEST_KEPT_HOURS / DAY_HOURS + 1);
    // What comes late, of an hour that has moved already.
    await add(count(webhookNo, (await thisHour()) - 100 * DAY_HOURS));
    const late = (await thisHour()) - 10 * DAY_HOURS;
    await add(count(webhookNo, late));
    await w.harness.advance(HOUR);
    await add(count(webhookNo, await thisHour()));
    assert.equal((await sums({ webhookNo }, late, 1))[0]?.ok, 2);
  });

  test("a deleted webhook's history goes with it", async () => {
    const { hook } = await w.shop();
    await add(count(hook.no, await thisHour()));
    await w.harness.advance(3 * DAY_HOURS * HOUR);
    await add(count(hook.no, await thisHour()));
    const history = async () => await w.rowsOf("attempt_history", hook.no);
    assert.equal((await history()).length, 1);
    await w.store.webhooks.delete(hook.id, null);
    assert.deepEqual(await history(), []);
  });

  test("sums are read without a look at deliveries: they are there when the deliveries' tables are not", async () => {
    const { id, ownerId, hooks } = await w.shop();
    const hour = await thisHour();
    await add(count(only(hooks).no, hour));
    const rename = async (from: string, to: string): Promise<void> => {
      for (const table of DELIVERIES) {
        await w.harness.tamper(`alter table ${from}${table} rename to ${to}${table}`);
      }
    };
    await rename("", "away_");
    try {
      for (const scope of [{ webhookNo: only(hooks).no }, { ownerId }, { resourceId: id }, {}]) {
        const [sum] = await sums(scope, hour, 1);
        assert.ok((sum?.ok ?? 0) > 0, JSON.stringify(scope));
      }
    } finally {
      await rename("away_", "");
    }
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttemptCount } from "../port/attempt-counts.ts";
import { only, type World } from "./world.ts";

const HOUR = 3_600_000;

export function testAttemptCounts(world: () => World): void {
  async function webhook(): Promise<string> {
    const { hooks } = await world().shop();
    return only(hooks).id;
  }

  async function count(webhookId: string, change: Partial<AttemptCount> = {}) {
    const now = await world().store.maintenance.now();
    return {
      webhookId,
      hour: Math.floor(now / HOUR),
      ok: 1,
      failed: 0,
      lastAt: now,
      lastOutcome: "ok",
      lastStatus: 200,
      ...change,
    };
  }

  test("counts of one hour add up, and the last attempt is the one told last", async () => {
    const { attemptCounts } = world().store;
    const id = await webhook();
    const first = await count(id, { ok: 3, failed: 1 });
    await attemptCounts.add([first]);
    const last = { ...first, ok: 0, failed: 2, lastAt: first.lastAt + 1, lastStatus: null };
    await attemptCounts.add([{ ...last, lastOutcome: "timeout" }]);
    assert.deepEqual(await attemptCounts.list([id]), [
      { ...last, ok: 3, failed: 3, lastOutcome: "timeout" },
    ]);
  });

  test("many hours of many webhooks are counted in one call, and asked for together", async () => {
    const { attemptCounts } = world().store;
    const { hooks } = await world().shop(30);
    const ids = hooks.map(({ id }) => id);
    const { hour } = await count("");
    const hours = Array.from({ length: 40 }, (_, ago) => hour - ago);
    await attemptCounts.add(
      await Promise.all(ids.flatMap((id) => hours.map((one) => count(id, { hour: one })))),
    );
    const found = await attemptCounts.list(ids.slice(0, 10));
    assert.equal(found.length, 400);
    assert.deepEqual(await attemptCounts.list([]), []);
    await attemptCounts.add([]);
  });

  test("what is older than two days goes when something newer comes, and stays until then", async () => {
    const { attemptCounts } = world().store;
    const [quiet, busy] = [await webhook(), await webhook()];
    await attemptCounts.add([await count(quiet), await count(busy)]);
    await world().harness.advance(49 * HOUR);
    await attemptCounts.add([await count(busy)]);
    assert.equal((await attemptCounts.list([quiet])).length, 1);
    assert.equal((await attemptCounts.list([busy])).length, 1);
  });

  test("a deleted webhook's counts go with it, and those of a deleted resource", async () => {
    const { attemptCounts, webhooks, resources } = world().store;
    const { id, hooks } = await world().shop(2);
    const ids = hooks.map((hook) => hook.id);
    await attemptCounts.add(await Promise.all(ids.map((hook) => count(hook))));
    await webhooks.delete(ids[0] ?? "", null);
    assert.equal((await attemptCounts.list(ids)).length, 1);
    await resources.delete(id);
    assert.equal((await attemptCounts.list(ids)).length, 0);
    // What was under way, or waited to be stored.
    await attemptCounts.add(await Promise.all(ids.map((hook) => count(hook))));
    assert.equal((await attemptCounts.list(ids)).length, 0);
  });
}

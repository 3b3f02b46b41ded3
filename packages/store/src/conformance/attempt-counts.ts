import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttemptCount, NO_REPLIES } from "../port/attempt-counts.ts";
import { only } from "./checks.ts";
import { counted } from "./counted.ts";
import { HOUR } from "./settlements.ts";
import type { World } from "./world.ts";

export function testAttemptCounts(w: World): void {
  const webhook = async (): Promise<number> => (await w.shop()).hook.no;
  const count = async (webhookNo: number, change: Partial<AttemptCount> = {}) =>
    counted(webhookNo, await w.store.maintenance.now(), change);

  test("counts of one hour add up, and the last attempt is the newest one", async () => {
    const { attemptCounts } = w.store;
    const no = await webhook();
    const replies = NO_REPLIES.map((_, index) => index);
    const first = await count(no, { ok: 3, failed: 1, replies });
    await attemptCounts.add([first]);
    await w.harness.advance(1);
    const last = {
      ...first,
      ok: 0,
      failed: 2,
      givenUp: 1,
      lastAt: first.lastAt + 1,
      lastStatus: null,
      lastOkAt: 0,
      okEvents: 2,
    };
    await attemptCounts.add([{ ...last, lastOutcome: "timeout" }]);
    assert.deepEqual(await attemptCounts.list([no]), [
      {
        ...last,
        ok: 3,
        failed: 3,
        replies: replies.map((some) => some * 2),
        lastOutcome: "timeout",
        lastOkAt: first.lastOkAt,
        okEvents: 3,
      },
    ]);
  });

  test("counts that another instance stores later do not replace a newer last attempt", async () => {
    const { attemptCounts } = w.store;
    const newest = await count(await webhook(), { ok: 1, failed: 0, lastOutcome: "ok" });
    await attemptCounts.add([newest]);
    const { lastAt } = newest;
    const older = { ...newest, ok: 0, failed: 1, lastAt: lastAt - 1, lastOkAt: 0, okEvents: 0 };
    await attemptCounts.add([{ ...older, lastOutcome: "timeout", lastStatus: null }]);
    const found = await attemptCounts.list([newest.webhookNo]);
    assert.deepEqual(found, [{ ...newest, failed: 1, replies: found[0]?.replies }]);
  });

  test("an attempt that a machine's clock places in the future does not hide a later one", async () => {
    const { attemptCounts } = w.store;
    const first = await count(await webhook());
    const ahead = first.lastAt + 300_000;
    await attemptCounts.add([{ ...first, lastAt: ahead, lastOkAt: ahead }]);
    await w.harness.advance(5000);
    const failed = { ok: 0, failed: 1, lastOutcome: "timeout", lastOkAt: 0, hour: first.hour };
    const later = await count(first.webhookNo, failed);
    await attemptCounts.add([later]);
    const found = only(await attemptCounts.list([first.webhookNo]));
    assert.deepEqual([found.lastAt, found.lastOutcome], [later.lastAt, "timeout"]);
    assert.ok(found.lastOkAt < later.lastAt);
  });

  test("many hours of many webhooks are counted in one call, and asked for together", async () => {
    const { attemptCounts } = w.store;
    const { hooks } = await w.shop(30);
    const nos = hooks.map(({ no }) => no);
    const { hour } = await count(0);
    const hours = Array.from({ length: 40 }, (_, ago) => hour - ago);
    await attemptCounts.add(
      await Promise.all(nos.flatMap((no) => hours.map((one) => count(no, { hour: one })))),
    );
    const found = await attemptCounts.list(nos.slice(0, 10));
    assert.equal(found.length, 400);
    assert.deepEqual(await attemptCounts.list([]), []);
    await attemptCounts.add([]);
  });

  test("counts older than two days move to the history when newer ones come, and stay until then", async () => {
    const { attemptCounts } = w.store;
    const [quiet, busy] = [await webhook(), await webhook()];
    await attemptCounts.add([await count(quiet), await count(busy)]);
    await w.harness.advance(49 * HOUR);
    await attemptCounts.add([await count(busy)]);
    assert.equal((await attemptCounts.list([quiet])).length, 1);
    assert.equal((await attemptCounts.list([busy])).length, 1);
  });

  test("a webhook that never failed tells when it last accepted, however long ago", async () => {
    const { attemptCounts, webhooks } = w.store;
    const { hook } = await w.shop();
    assert.equal(hook.lastSuccessAt, null);
    const first = await count(hook.no);
    const lastSuccess = async () => (await webhooks.get(hook.id, null)).lastSuccessAt;
    await attemptCounts.add([first]);
    assert.equal(await lastSuccess(), first.lastAt);
    await w.harness.advance(49 * HOUR);
    const failed = { ok: 0, failed: 1, lastOkAt: 0, okEvents: 0, lastOutcome: "timeout" };
    await attemptCounts.add([await count(hook.no, failed)]);
    assert.equal(await lastSuccess(), first.lastAt, "after its hour was forgotten");
  });

  test("a deleted webhook's counts go with it, and those of a deleted resource", async () => {
    const { attemptCounts, webhooks, resources } = w.store;
    const { id, hooks } = await w.shop(2);
    const nos = hooks.map((hook) => hook.no);
    await attemptCounts.add(await Promise.all(nos.map((hook) => count(hook))));
    await webhooks.delete(hooks[0]?.id ?? "", null);
    assert.equal((await attemptCounts.list(nos)).length, 1);
    await resources.delete(id);
    assert.equal((await attemptCounts.list(nos)).length, 0);
    // What was under way, or waited to be stored.
    await attemptCounts.add(await Promise.all(nos.map((hook) => count(hook))));
    assert.equal((await attemptCounts.list(nos)).length, 0);
  });
}

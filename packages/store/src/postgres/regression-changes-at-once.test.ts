import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { deliveryId, makeRandomId } from "@markethook/protocol";
import type { ImportedWebhook } from "../port/imports.ts";
import { orderLock } from "../hot/order-lock.ts";
import { budget, event } from "../conformance/reports.ts";
import type { World } from "../conformance/world.ts";
import { untilSomeWait } from "../testing/postgres-server.ts";
import { testWorld } from "./open-harness.ts";

/** Runs calls at once while another session holds the webhook's row, with a change that it then commits. */
async function behind<T>(
  w: World,
  change: string,
  calls: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  await w.harness.tamper("begin");
  await w.harness.tamper(change);
  const results = Promise.allSettled(calls.map((call) => call()));
  await w.harness.tamper(untilSomeWait(calls.length));
  await w.harness.tamper("commit");
  return await results;
}

function webhook(resourceId: string, description: string, importId = "77"): ImportedWebhook {
  return {
    kind: "webhook",
    newId: makeRandomId("wh_", randomBytes),
    resourceId,
    importId,
    url: "https://old.example/",
    events: null,
    description,
    secret: "secret",
    state: "active",
  };
}

test("an owner's change that an import waited for is not overwritten by the import", async (t) => {
  const w = await testWorld(t);
  const { id: resourceId } = await w.shop(0);
  await w.store.imports.run([webhook(resourceId, "first")], { dryRun: false });
  const [results] = await behind(w, "update webhooks set description = 'by its owner'", [
    async () => await w.store.imports.run([webhook(resourceId, "second")], { dryRun: false }),
  ]);
  assert.deepEqual(results, {
    status: "fulfilled",
    value: [{ kind: "rejected", code: "import_conflict" }],
  });
  const [row] = await w.harness.rows("webhooks");
  assert.equal(row?.["description"], "by its owner");
});

test("of two deletions of a webhook at once one finds none, and the audit log has one", async (t) => {
  const w = await testWorld(t);
  const [hook] = (await w.shop()).hooks;
  const remove = async () => await w.store.webhooks.delete(hook?.id ?? "", null);
  const results = await behind(w, "update webhooks set updated_at = updated_at", [remove, remove]);
  assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  const audit = await w.harness.rows("audit");
  assert.equal(audit.filter((row) => row["action"] === "webhook.delete").length, 1);
});

/** Calls while another session has one webhook's row, and then takes the one with the next number. */
async function betweenLocks<T>(w: World, ids: string[], call: () => Promise<T>): Promise<T> {
  const [first = "", second = ""] = ids.map(
    (id) => `select 1 from webhooks where id = '${id}' for no key update`,
  );
  await w.harness.tamper(`begin; ${first}`);
  const result = call();
  await w.harness.tamper(untilSomeWait(1));
  await w.harness.tamper(second);
  await w.harness.tamper("commit");
  return await result;
}

test("an import locks webhooks by number, as those do that store outcomes", async (t) => {
  const w = await testWorld(t);
  const { id } = await w.shop(0);
  const both = (description: string): ImportedWebhook[] => [
    { ...webhook(id, description, "1"), newId: "wh_b" },
    { ...webhook(id, description, "2"), newId: "wh_a" },
  ];
  await w.store.imports.run(both("first"), { dryRun: false });
  const results = await betweenLocks(w, ["wh_b", "wh_a"], async () => {
    return await w.store.imports.run(both("second"), { dryRun: false });
  });
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ["updated", "updated"],
  );
});

test("a new owner, and a deletion, lock a resource's webhooks by number, wherever their rows are", async (t) => {
  const w = await testWorld(t);
  const { put, delete: remove } = w.store.resources;
  const change = async (id: string) =>
    await put([{ id, ownerId: w.name("owner"), title: "T", subtitle: "" }]);
  for (const call of [change, remove]) {
    const { id, hooks } = await w.shop(2);
    const ids = hooks.map((hook) => hook.id);
    // Its row moves behind the other one.
    await w.store.webhooks.pause(ids[0] ?? "", null);
    await betweenLocks(w, ids, async () => await call(id));
  }
});

test("sending a purchase again sees the refund that is being accepted before it", async (t) => {
  const w = await testWorld(t);
  const instanceNo = await w.instanceNo();
  const { id } = await w.shop();
  const user = w.user();
  const purchase = await w.acceptOne(id, instanceNo, event(id, "purchase", user));
  await w.deliver(instanceNo, [purchase]);
  await w.harness.tamper(`begin; select pg_advisory_xact_lock(${orderLock(id, user)})`);
  const refund = w.store.events.accept([event(id, "removed", user)], budget(instanceNo));
  await w.harness.tamper(untilSomeWait(1));
  const again = w.store.log.redeliver(deliveryId(purchase), null, false);
  const refused = assert.rejects(again, { code: "redelivery_out_of_order" });
  await w.harness.tamper(untilSomeWait(2));
  await w.harness.tamper("commit");
  assert.equal((await refund).preLeased.length, 1);
  await refused;
});

test("a webhook that is resumed while its resource gets another owner once more ends disabled", async (t) => {
  const w = await testWorld(t);
  for (const resumesFirst of [true, false]) {
    const { id, ownerId, hooks } = await w.shop();
    const put = async (owner: string): Promise<unknown> =>
      await w.store.resources.put([{ id, ownerId: owner, title: "T", subtitle: "" }]);
    await put(w.name("typo"));
    await put(ownerId);
    const hook = hooks[0]?.id ?? "";
    const resume = async (): Promise<unknown> =>
      await w.store.webhooks.resume(hook, ownerId, "send");
    const sell = async (): Promise<unknown> => await put(w.name("heir"));
    await w.harness.tamper("begin; update webhooks set updated_at = updated_at");
    const first = (resumesFirst ? resume : sell)();
    await w.harness.tamper(untilSomeWait(1));
    const second = (resumesFirst ? sell : resume)();
    await w.harness.tamper(untilSomeWait(2));
    await w.harness.tamper("commit");
    await Promise.allSettled([first, second]);
    const { state, disabledReason } = await w.store.webhooks.get(hook, null);
    assert.deepEqual([state, disabledReason], ["disabled", "owner_changed"]);
  }
});

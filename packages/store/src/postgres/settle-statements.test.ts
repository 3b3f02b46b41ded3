import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Client } from "pg";
import { event, budget, retried, World } from "../conformance/world.ts";
import { openPostgresHarness } from "./open-harness.ts";

test("the health of all webhooks of a batch is read in one statement and written in another", async (t) => {
  const harness = await openPostgresHarness();
  t.after(async () => await harness.close());
  const w = new World(harness);
  const instanceNo = await w.instanceNo();
  const statementsFor = async (webhooks: number): Promise<number> => {
    const { id } = await w.shop(webhooks);
    const { preLeased } = await w.store.events.accept(
      [event(id, "purchase", w.user())],
      budget(instanceNo),
    );
    assert.equal(preLeased.length, webhooks);
    const query = mock.method(Client.prototype, "query");
    const settlements = preLeased.map((one) => retried(one, 0));
    for (const one of settlements) one.health = { kind: "failed", badRequest: false };
    await w.settle(instanceNo, settlements);
    query.mock.restore();
    return query.mock.calls.filter((call) =>
      JSON.stringify(call.arguments[0]).includes("webhook_health"),
    ).length;
  };
  assert.equal(await statementsFor(1), 2);
  assert.equal(await statementsFor(60), 2);
});

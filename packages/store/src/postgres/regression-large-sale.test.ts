import assert from "node:assert/strict";
import { test } from "node:test";
import { testWorld, refuseLargeStatements } from "./open-harness.ts";

const RESOURCES = 60;
const MOST = 50;

/** With 1,000 resources of 100 webhooks, one statement passed its time limit at each try, so the import never ended. */
test("an import that sells many resources disables their webhooks in statements of bounded size", async (t) => {
  const { harness, store } = await testWorld(t);
  const ids = Array.from({ length: RESOURCES }, (_, index) => `r${index}`);
  const sell = async (ownerId: string) =>
    await store.imports.run(
      ids.map((id) => ({ kind: "resource", id, ownerId, title: "T", subtitle: "" })),
      { dryRun: false },
    );
  await sell("one");
  for (const resourceId of ids) {
    const of = { events: null, description: "", secret: "s", url: "https://receiver.example/" };
    await store.webhooks.create(
      { id: `wh_${resourceId}`, resourceId, format: "json", ...of },
      null,
    );
  }
  await refuseLargeStatements(harness, { table: "webhooks", change: "update", most: MOST });
  await sell("two");
  const states = (await harness.rows("webhooks")).map((row) => row["reason"]);
  assert.deepEqual(
    states,
    Array.from(ids, () => "owner_changed"),
  );
});

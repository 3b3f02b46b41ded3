import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "../conformance/world.ts";
import { openPostgresHarness } from "./open-harness.ts";

const RESOURCES = 60;
const MOST = 50;

/** With 1,000 resources of 100 webhooks, one statement passed its time limit at each try, so the import never ended. */
test("an import that sells many resources disables their webhooks in statements of bounded size", async (t) => {
  const harness = await openPostgresHarness();
  t.after(async () => await harness.close());
  const { store } = new World(harness);
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
  await harness.tamper(`
    create function mh_too_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from changed) > ${MOST} then raise exception 'too many in one statement'; end if;
      return null;
    end $$;
    create trigger too_many after update on webhooks referencing new table as changed
      for each statement execute function mh_too_many()`);
  await sell("two");
  const states = (await harness.rows("webhooks")).map((row) => row["reason"]);
  assert.deepEqual(
    states,
    Array.from(ids, () => "owner_changed"),
  );
});

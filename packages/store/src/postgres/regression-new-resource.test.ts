import assert from "node:assert/strict";
import { test } from "node:test";
import { event } from "../conformance/reports.ts";
import {
  createMigratedDatabase,
  execute,
  lockTable,
  untilSomeWait,
} from "../testing/postgres-server.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openPostgres } from "./open.ts";

test("two first reports of a resource at once: what one leaves out stays as the other brought it", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  t.after(drop);
  const store = await openPostgres({ ...TEST_OPTIONS, url });
  t.after(() => store.close());
  const known = { ownerId: "o", title: "Castle" };
  const fileVersion = {
    version: "1.0",
    id: "up_1",
    time: 1,
    size: "1",
    fileType: "zip",
    branch: "release",
  };
  // It has read that there is no such resource, and waits before it writes.
  const unlock = await lockTable(url, "first_downloads");
  const first = store.events.accept([{ ...event("new", "download", 1), resource: known }], null);
  await Promise.race([first, execute(url, untilSomeWait())]);
  const other = { ...known, subtitle: "A map", fileVersion };
  await store.events.accept([{ ...event("new", "purchase", 2), resource: other }], null);
  await unlock();

  assert.equal((await first).results[0]?.kind, "accepted");
  const stored = await store.resources.find("new");
  assert.deepEqual([stored?.subtitle, stored?.fileVersion], ["A map", fileVersion]);
});

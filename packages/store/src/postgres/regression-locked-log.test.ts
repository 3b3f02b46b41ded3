import assert from "node:assert/strict";
import { test } from "node:test";
import { createMigratedDatabase, lockTable } from "../testing/postgres-server.ts";
import { inspectPostgres } from "./inspect.ts";
import { openOneWebhook } from "./open-harness.ts";

test("while the log's table is locked and read by many, keys are looked up and the database takes writes", async (t) => {
  const { url, store } = await openOneWebhook(t);
  const unlock = await lockTable(url, "ended");
  const reads = Array.from({ length: 8 }, async () => {
    return await store.log.list({ ownerId: "o" }, { beforeSeq: null, limit: 10 });
  });
  const ended = Promise.allSettled(reads);
  try {
    assert.equal(await store.apiKeys.findByHash("none"), null);
    await store.maintenance.checkWritable();
  } finally {
    await unlock();
  }
  await ended;
});

test("the doctor says so where a table is locked, and does not wait for it", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  t.after(drop);
  const unlock = await lockTable(url, "meta");
  await assert.rejects(inspectPostgres(url, 200), /no answer in time; a table may be locked/);
  await unlock();
  const { applied, known } = await inspectPostgres(url);
  assert.equal(applied, known);
});

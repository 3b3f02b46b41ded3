import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { lockTable } from "@markethook/store/testing/postgres";
import { postgresPlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

test("metrics are told while the database does not answer, and its figures when it does again", async (t) => {
  const place = await postgresPlace();
  const service = await startServiceProcess({
    ...place.env,
    MARKETHOOK_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
  t.after(async () => {
    await service.kill();
    await place.drop();
  });
  const signal = AbortSignal.timeout(300_000);
  const metrics = async (): Promise<string> => {
    const response = await fetch(`${service.address}/metrics`, { signal });
    assert.equal(response.status, 200);
    return await response.text();
  };
  const release = await lockTable(place.url, "pending");
  const without = await metrics();
  assert.match(without, /^markethook_requests_open 0$/m);
  assert.match(without, /^markethook_database_figures_age_seconds /m);
  assert.doesNotMatch(without, /^markethook_(stored|oldest_due_seconds)\b/m);
  await release();
  let text = await metrics();
  while (!/^markethook_oldest_due_seconds /m.test(text)) {
    await pause(10);
    text = await metrics();
  }
  assert.match(text, /^markethook_stored\{what="deliveries_pending"\} 0$/m);
  assert.match(text, /^markethook_database_figures_failed 0$/m);
});

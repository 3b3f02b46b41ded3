import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { lockTable } from "@markethook/store/testing/postgres";
import { postgresPlace } from "../places.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";

async function start(t: TestContext) {
  const place = await postgresPlace();
  const service = await startServiceProcess({
    ...place.env,
    MARKETHOOK_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
  t.after(async () => {
    await service.kill();
    await place.drop();
  });
  const { address } = service;
  return { address, url: place.url, signal: AbortSignal.timeout(300_000) };
}

test("a locked table makes an instance unready, and it is ready again without a report", async (t) => {
  const { address, url, signal } = await start(t);
  const report = async (): Promise<number> => {
    const response = await fetch(`${address}/v1/resources/castle/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        event: "product.user.purchase",
        occurredAt: 1_700_000_000,
        user: { id: 7 },
        resource: { ownerId: "1001", title: "Castle", subtitle: "A map" },
      }),
      signal,
    });
    return response.status;
  };
  const readyz = async (status: number): Promise<string> => {
    for (;;) {
      const response = await fetch(`${address}/readyz`, { signal });
      const text = await response.text();
      if (response.status === status) return text;
      await pause(20);
    }
  };
  assert.match(await readyz(200), /"accepts":"stored"/);
  const release = await lockTable(url, "events");
  assert.equal(await report(), 503);
  assert.match(await readyz(503), /accepts: (failing|waiting) for \d+ s/);
  await release();
  assert.match(await readyz(200), /"accepts":"stored"/);
});

test("metrics are told while the database does not answer, and its figures when it does again", async (t) => {
  const { address, url, signal } = await start(t);
  const metrics = async (): Promise<string> => {
    const response = await fetch(`${address}/metrics`, { signal });
    assert.equal(response.status, 200);
    return await response.text();
  };
  const release = await lockTable(url, "pending");
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

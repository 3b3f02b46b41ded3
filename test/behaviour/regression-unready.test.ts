import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { lockTable } from "@markethook/store/testing/postgres";
import { postgresPlace } from "../places.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";

test("a locked table makes an instance unready, and it is ready again without a report", async (t) => {
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
  const report = async (): Promise<number> => {
    const response = await fetch(`${service.address}/v1/resources/castle/events`, {
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
      const response = await fetch(`${service.address}/readyz`, { signal });
      const text = await response.text();
      if (response.status === status) return text;
      await pause(20);
    }
  };
  assert.match(await readyz(200), /"accepts":"stored"/);
  const release = await lockTable(place.url, "events");
  assert.equal(await report(), 503);
  assert.match(await readyz(503), /accepts: (failing|waiting) for \d+ s/);
  await release();
  assert.match(await readyz(200), /"accepts":"stored"/);
});

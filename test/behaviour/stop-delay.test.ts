import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeApiKey } from "@markethook/api/tokens";
import { call } from "../marketplace.ts";
import { sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

test("for the stop delay an instance takes requests, ends their connections and says that it is not ready", async (t) => {
  const place = await sqlitePlace();
  const apiKey = makeApiKey(randomBytes);
  const service = await startServiceProcess({
    ...place.env,
    MARKETHOOK_BASE_URL: "https://market.example",
    MARKETHOOK_API_KEY: apiKey,
    MARKETHOOK_STOP_DELAY: "3s",
  });
  t.after(async () => {
    service.signal("SIGKILL");
    await service.exited;
    await place.drop();
  });
  await call(service.address, apiKey, "PUT", "/resources/castle", { title: "A", ownerId: "o" });
  const report = (): Promise<Response> =>
    fetch(`${service.address}/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        events: [{ resourceId: "castle", event: "product.user.purchase", user: { id: 1 } }],
      }),
    });
  const ready = await fetch(`${service.address}/readyz`);
  assert.deepEqual([ready.status, ready.headers.get("connection")], [200, "keep-alive"]);
  const stopping = service.logged("stopping");
  service.signal("SIGTERM");
  await stopping;
  const unready = await fetch(`${service.address}/readyz`);
  assert.equal(unready.status, 503);
  assert.match(await unready.text(), /"detail":"instance: stopping\./);
  const taken = await report();
  assert.deepEqual([taken.status, taken.headers.get("connection")], [202, "close"]);
  assert.equal(await service.exited, 0);
  await assert.rejects(report(), TypeError);
});

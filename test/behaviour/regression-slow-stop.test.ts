import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeApiKey } from "@markethook/api/tokens";
import { startHangingReceiver } from "../hanging-receiver.ts";
import { setUpMarketplace } from "../marketplace.ts";
import { sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

/**
 * A connection that was busy at the signal used to hold up the stop after its answer, until its client let go or 72
 * seconds had passed: longer than those who stop services wait.
 */
test(
  "a client that keeps its connection open does not hold up the stop",
  { timeout: 60_000 },
  async (t) => {
    const place = await sqlitePlace();
    const receiver = await startHangingReceiver();
    const apiKey = makeApiKey(randomBytes);
    const service = await startServiceProcess({
      ...place.env,
      MARKETHOOK_BASE_URL: "https://market.example",
      MARKETHOOK_API_KEY: apiKey,
      MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    });
    t.after(async () => {
      service.signal("SIGKILL");
      await receiver.close();
      await place.drop();
    });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const { webhookIds } = await setUpMarketplace(service.address, apiKey, "castle", [url]);
    receiver.hanging = true;
    const ping = fetch(`${service.address}/v1/webhooks/${webhookIds[0] ?? ""}/ping`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: "{}",
    });
    await receiver.until(() => receiver.arrivals.length === 1);
    const stopping = service.logged("stopping");
    service.signal("SIGTERM");
    await stopping;
    receiver.hanging = false;
    receiver.answerAll();
    assert.equal((await ping).status, 200);
    assert.equal(await service.exited, 0);
  },
);

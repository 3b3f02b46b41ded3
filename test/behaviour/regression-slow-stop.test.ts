import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setUpMarketplace } from "../marketplace.ts";
import { startRunningService } from "../running-service.ts";

/** A service with one webhook, whose receiver hangs when told to, and a call of an action of that webhook. */
async function setUp(t: TestContext) {
  const running = await startRunningService();
  t.after(() => running.stop());
  const { service, apiKey, receiver, receiverUrl } = running;
  const { webhookIds } = await setUpMarketplace(service.address, apiKey, "castle", [receiverUrl]);
  const act = (action: string): Promise<Response> =>
    fetch(`${service.address}/v1/webhooks/${webhookIds[0] ?? ""}/${action}`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: "{}",
    });
  /** Tells the service to stop, and then has the receiver answer. */
  async function stop(): Promise<void> {
    const stopping = service.logged("stopping");
    service.signal("SIGTERM");
    await stopping;
    receiver.hanging = false;
    receiver.answerAll();
  }
  return { receiver, service, act, stop };
}

/**
 * A connection that was busy at the signal used to hold up the stop after its answer, until its client let go or 72
 * seconds had passed: longer than those who stop services wait.
 */
test(
  "a client that keeps its connection open does not hold up the stop",
  { timeout: 60_000 },
  async (t) => {
    const { receiver, service, act, stop } = await setUp(t);
    receiver.hanging = true;
    const ping = act("ping");
    await receiver.until(() => receiver.arrivals.length === 1);
    await stop();
    assert.equal((await ping).status, 200);
    assert.equal(await service.exited, 0);
  },
);

/** It used to send all of its twelve requests, for up to a minute with a slow receiver. */
test(
  "a check-up that is under way at the signal sends no further request",
  { timeout: 60_000 },
  async (t) => {
    const { receiver, service, act, stop } = await setUp(t);
    const checkup = act("checkup");
    // Answered, and then the one behind it is not.
    await receiver.until(() => receiver.arrivals.length === 1);
    receiver.hanging = true;
    await receiver.until(() => receiver.arrivals.length === 2);
    await stop();
    const { probes } = (await (await checkup).json()) as { probes: { sentence: string }[] };
    assert.match(String(probes.at(-1)?.sentence), /being stopped/);
    assert.equal(receiver.arrivals.length, 2);
    assert.equal(await service.exited, 0);
  },
);

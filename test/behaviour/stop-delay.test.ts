import assert from "node:assert/strict";
import { test } from "node:test";
import { sqlitePlace } from "../places.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "../service-process.ts";

test("for the stop delay an instance takes requests, ends their connections and says that it is not ready, and stops after it", async (t) => {
  const place = await sqlitePlace();
  const services: ServiceProcess[] = [];
  const endAll = async (): Promise<void> => {
    for (const service of services) await service.kill();
  };
  t.after(async () => {
    await endAll();
    await place.drop();
  });
  const start = async (stopDelay: string): Promise<ServiceProcess> => {
    const service = await startServiceProcess({ ...place.env, MARKETHOOK_STOP_DELAY: stopDelay });
    services.push(service);
    return service;
  };
  const report = (address: string): Promise<Response> =>
    fetch(`${address}/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        events: [{ resourceId: "castle", event: "product.user.purchase", user: { id: 1 } }],
      }),
    });

  // However slow the machine is, the delay is not over before the test is.
  const patient = await start("1d");
  const { address } = patient;
  await patient.api("PUT", "/resources/castle", { title: "A", ownerId: "o" });
  const ready = await fetch(`${address}/readyz`);
  assert.deepEqual([ready.status, ready.headers.get("connection")], [200, "keep-alive"]);
  const stopping = patient.logged("stopping");
  patient.signal("SIGTERM");
  await stopping;
  const unready = await fetch(`${address}/readyz`);
  assert.equal(unready.status, 503);
  assert.match(await unready.text(), /"detail":"instance: stopping\./);
  const taken = await report(address);
  assert.deepEqual([taken.status, taken.headers.get("connection")], [202, "close"]);
  await endAll();

  const hasty = await start("100ms");
  hasty.signal("SIGTERM");
  assert.equal(await hasty.exited, 0);
  await assert.rejects(report(hasty.address), TypeError);
});

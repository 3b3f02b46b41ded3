import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startHangingReceiver } from "../hanging-receiver.ts";
import { type Place, postgresPlace, sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";
import { size } from "../size.ts";

const BIG = size(20_000, 100_000);
const SMALL = 200;
const HEALTHY = size(500, 2000);
const BATCH = 1000;

async function start(t: TestContext, place: Place) {
  const service = await startServiceProcess(place.env);
  t.after(async () => {
    await service.kill();
    await place.drop();
  });
  const { api } = service;
  const report = async (resourceId: string, count: number): Promise<void> => {
    for (let from = 0; from < count; from += BATCH) {
      const users = Array.from(
        { length: Math.min(BATCH, count - from) },
        (_, index) => from + index + 1,
      );
      await api("POST", "/events", {
        events: users.map((id) => ({ resourceId, event: "product.user.purchase", user: { id } })),
      });
    }
  };
  const add = async (resourceId: string, url: string): Promise<string> =>
    String((await api("POST", `/resources/${resourceId}/webhooks`, { url }))["id"]);
  for (const id of ["big", "small"])
    await api("PUT", `/resources/${id}`, { title: id, ownerId: "o" });
  return { api, report, add };
}

for (const [database, open] of [
  ["SQLite", sqlitePlace],
  ["PostgreSQL", postgresPlace],
] as const) {
  test(`${database}: another webhook's ${SMALL} deliveries are in before 5 % of one webhook's ${BIG}`, async (t) => {
    const [big, small] = [await startHangingReceiver(), await startHangingReceiver()];
    t.after(() => Promise.all([big.close(), small.close()]));
    const { api, report, add } = await start(t, await open());
    const bigWebhook = await add("big", `http://127.0.0.1:${big.port}/`);
    await add("small", `http://127.0.0.1:${small.port}/`);
    await api("POST", `/webhooks/${bigWebhook}/pause`, {});
    await report("big", BIG);
    assert.equal(big.arrivals.length, 0);

    await api("POST", `/webhooks/${bigWebhook}/resume`, { held: "send" });
    await big.until(() => big.arrivals.length > 0);
    await report("small", SMALL);
    await small.until(() => small.arrivals.length === SMALL);
    t.diagnostic(`${big.arrivals.length} of ${BIG} were sent meanwhile`);
    assert.ok(big.arrivals.length < BIG * 0.05, `${big.arrivals.length} of ${BIG} came first`);
  });
}

test("100 webhooks that hang hold no more than their caps, and a healthy one gets everything meanwhile", async (t) => {
  const hanging = await startHangingReceiver();
  const healthy = await startHangingReceiver();
  t.after(() => Promise.all([hanging.close(), healthy.close()]));
  const { report, add } = await start(t, await sqlitePlace());
  hanging.hanging = true;
  // Fifty host names, so that the cap per host is not what holds them.
  for (let index = 0; index < 100; index += 1) {
    await add("big", `http://127.0.1.${1 + (index % 50)}:${hanging.port}/${index}`);
  }
  await add("small", `http://127.0.0.1:${healthy.port}/`);
  await report("big", 20);
  await hanging.until(() => hanging.arrivals.length >= 150);
  await report("small", HEALTHY);
  await healthy.until(() => healthy.arrivals.length === HEALTHY);
  const most = Math.max(...hanging.mostOpenByPath.values());
  t.diagnostic(`at most ${most} open per hanging webhook, ${hanging.mostOpen} in all`);
  assert.ok(most <= 2, `${most} requests were open to one webhook that never answered`);
  assert.ok(hanging.mostOpen <= 200);
});

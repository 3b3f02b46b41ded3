import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeApiKey } from "@markethook/api";
import { startHangingReceiver } from "../hanging-receiver.ts";
import { call, setUpMarketplace } from "../marketplace.ts";
import { postgresPlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

const DELIVERIES = 40;
const DIALLED = 2;

test("an instance stopped beyond its lease sends nothing that it had not dialled, and its late results are refused", async (t) => {
  const place = await postgresPlace();
  const receiver = await startHangingReceiver();
  const apiKey = makeApiKey(randomBytes);
  const env = {
    ...place.env,
    MARKETHOOK_BASE_URL: "https://market.example",
    MARKETHOOK_API_KEY: apiKey,
    MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    MARKETHOOK_LEASE: "800ms",
  };
  const sleeper = await startServiceProcess(env);
  t.after(async () => {
    sleeper.signal("SIGKILL");
    await receiver.close();
    await place.drop();
  });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { webhookIds } = await setUpMarketplace(sleeper.address, apiKey, "plugin", [url]);
  receiver.hanging = true;
  const events = Array.from({ length: DELIVERIES }, (_, index) => ({
    resourceId: "plugin",
    event: "product.user.purchase",
    user: { id: index + 1 },
  }));
  await call(sleeper.address, apiKey, "POST", "/events", { events });
  // A new webhook's first requests go two at a time; the others wait in memory under the same lease.
  await receiver.until(() => receiver.arrivals.length === DIALLED);
  const dialled = new Set(receiver.arrivals);

  sleeper.signal("SIGSTOP");
  receiver.hanging = false;
  const other = await startServiceProcess(env);
  t.after(() => other.signal("SIGKILL"));
  await receiver.until(() => receiver.arrivals.length === DIALLED + DELIVERIES);

  const lost = sleeper.logged("instance lost");
  const refused = sleeper.logged("outcomes refused: their leases had ended");
  receiver.answerAll();
  sleeper.signal("SIGCONT");
  await Promise.all([lost, refused]);
  // It works again under a new instance; whatever it would wrongly send would have to come before this.
  await call(sleeper.address, apiKey, "POST", "/events", {
    events: [{ ...events[0], user: { id: 999 } }],
  });
  await receiver.until(() => receiver.arrivals.length > DIALLED + DELIVERIES);

  const times = new Map<string, number>();
  for (const id of receiver.arrivals) times.set(id, (times.get(id) ?? 0) + 1);
  assert.equal(receiver.arrivals.length, DIALLED + DELIVERIES + 1);
  for (const [id, count] of times) assert.equal(count, dialled.has(id) ? 2 : 1, id);
  const { items } = (await call(
    other.address,
    apiKey,
    "GET",
    `/webhooks/${webhookIds[0]}/deliveries?limit=200&state=delivered`,
  )) as {
    items: { attempts: number }[];
  };
  assert.ok(items.length >= DELIVERIES);
  assert.ok(
    items.every((item) => item.attempts === 1),
    "a refused result was recorded",
  );
});

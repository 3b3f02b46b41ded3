import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { startThreads } from "../send/testing/test-threads.ts";
import { type Arrival, startReceiver } from "../wiring/testing/receiver.ts";
import { postgresWorld, sqliteWorld, type World } from "../wiring/testing/world.ts";

const CLEAN = 40;
const POISONED = 1_000_013;

async function findsPoison(t: TestContext, world: World): Promise<void> {
  const { sender, workers, deaths } = startThreads(t, { longestWaitMs: 50 });
  const others: number[] = [];
  const poison = new Set<Arrival>();
  const receiver = await startReceiver(t, (arrival) => {
    const user = arrival.payload.user?.id ?? 0;
    if (user !== POISONED) {
      others.push(user);
      return 200;
    }
    // Those left open are asked about again at each arrival.
    if (!poison.has(arrival)) {
      poison.add(arrival);
      void workers.at(-1)?.terminate();
    }
    return null;
  });
  const webhook = await world.webhook(receiver.url("/"));
  const { dispatcher, seen } = await world.instance({ sender });
  const clean = Array.from({ length: CLEAN }, (_, user) => world.purchase(user + 1));
  await dispatcher.accept([...clean, world.purchase(POISONED)]);
  await world.settledAs(seen, "delivered", CLEAN);
  for (let batches = seen.of("settled").length; ; batches += 1) {
    const deliveries = await world.deliveries(webhook.id);
    const one = deliveries.find(({ state }) => state !== "delivered");
    if (one?.reason === "quarantined") break;
    await seen.seen("settled", batches + 1);
  }
  t.diagnostic(`found after ${deaths.length} ends of a thread`);
  assert.equal(new Set(others).size, CLEAN);
  assert.deepEqual(seen.of("instanceLost"), []);
  const records = (await world.deliveries(webhook.id)).filter(({ state }) => state === "delivered");
  assert.ok(records.every(({ attempts }) => attempts > 0));
}

test("SQLite: a delivery that ends thread after thread is quarantined; all others arrive, and the instance goes on", async (t) => {
  await findsPoison(t, await sqliteWorld(t));
});

test("PostgreSQL: a delivery that ends thread after thread is quarantined; all others arrive, and the instance goes on", async (t) => {
  await findsPoison(t, await postgresWorld(t));
});

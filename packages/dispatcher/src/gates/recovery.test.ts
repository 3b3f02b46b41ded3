import assert from "node:assert/strict";
import { test } from "node:test";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { sqliteWorld } from "../wiring/testing/world.ts";

test("R15: a backlog begins slowly once its receiver is back, and a neighbour does not wait for it", async (t) => {
  const world = await sqliteWorld(t);
  const times: number[] = [];
  let back = false;
  const away = await startReceiver(t, () => {
    if (back) times.push(performance.now());
    return back ? 204 : 500;
  });
  const neighbour = await startReceiver(t, 204);
  const slowStart = { afterMs: 1, perSecond: 25, doubleEveryMs: 60_000, doublings: 7 };
  const schedule = Array.from({ length: 50 }, () => 300);
  const { dispatcher, seen } = await world.instance({ settings: { slowStart, schedule } });
  const webhook = await world.webhook(away.url());
  await dispatcher.accept([world.purchase()]);
  // After a second, five of its attempts, what is known of it is read again.
  await seen.seen("attempt", 5);
  assert.ok((await world.store.webhooks.get(webhook.id, null)).failingSince !== null);

  await world.webhook(neighbour.url());
  await dispatcher.accept(Array.from({ length: 30 }, () => world.purchase()));
  back = true;
  await neighbour.arrived(30);
  await world.settledAs(seen, "delivered", 61);
  const first = times[0] ?? 0;
  for (const [index, at] of times.entries()) {
    const most = (at - first) * (slowStart.perSecond / 1000) + 5;
    assert.ok(index <= most, `${index + 1} after ${at - first} ms`);
  }
});

test("N2: what fails while most webhooks cannot be connected to is nobody's failure", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher, seen } = await world.instance({ settings: { schedule: [60_000] } });
  const refusing = await Promise.all(
    Array.from({ length: 12 }, (_, i) => world.webhook(`http://127.0.0.1:${i + 1}/`)),
  );
  await dispatcher.accept([world.purchase()]);
  await seen.seen("settled", 1, () => seen.of("attempt").length === 12);
  assert.deepEqual(seen.of("networkSuspected"), [true]);
  await dispatcher.stop();
  const failing = await Promise.all(
    refusing.map(async ({ id }) => (await world.store.webhooks.get(id, null)).failingSince),
  );
  // The first nine said nothing yet about our network.
  assert.equal(failing.filter((since) => since !== null).length, 9);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { startReceiver } from "./testing/receiver.ts";
import { sqliteWorld } from "./testing/world.ts";

test("a pause that the old receiver asks for after the URL was changed does not keep the new one waiting", async (t) => {
  const world = await sqliteWorld(t);
  const old = await startReceiver(t, null);
  const next = await startReceiver(t);
  const { id } = await world.webhook(old.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept([world.purchase(7)]);
  await old.arrived(1);
  await world.store.webhooks.change(id, null, { url: next.url() });
  old.answer({ status: 503, headers: { "Retry-After": "86400" } });
  await seen.seen("settled");
  await dispatcher.accept([world.purchase(8)]);
  await world.settledAs(seen, "delivered", 1);
  assert.equal(next.arrivals[0]?.payload.user?.id, 8);
});

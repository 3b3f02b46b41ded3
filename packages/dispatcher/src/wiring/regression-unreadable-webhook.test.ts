import assert from "node:assert/strict";
import { test } from "node:test";
import { execute } from "@markethook/store/testing";
import { startReceiver } from "./testing/receiver.ts";
import { postgresWorld } from "./testing/world.ts";

test("a webhook whose secret cannot be decrypted keeps no other one from its deliveries", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t);
  const good = await world.webhook(receiver.url());
  const bad = await world.webhook(receiver.url());
  // As after a restore of a part, or an edit by hand.
  await execute(world.url, `update webhooks set secret = 's1.none.AAAA' where no = ${bad.no}`);
  const items = [world.purchase(), world.purchase(), world.purchase()];
  // Not by the instance: it would get the webhook that can be read with its commit.
  await world.store.events.accept(items, null);
  const { seen } = await world.instance({ settings: { queueShare: 2 } });

  await world.settledAs(seen, "delivered", 3);
  assert.deepEqual(
    (await world.deliveries(good.id)).map(({ state }) => state),
    ["delivered", "delivered", "delivered"],
  );
  const held = (await world.deliveries(bad.id)).map(({ state }) => state);
  assert.ok(!held.includes("cancelled") && !held.includes("dead"), held.join());
  assert.ok(seen.of("fault").includes("read webhooks"));
});

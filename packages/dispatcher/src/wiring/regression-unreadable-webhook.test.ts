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

test("the deliveries of a webhook that cannot be read leave memory, and one line tells of it", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t);
  const bad = await world.webhook(receiver.url());
  await execute(world.url, `update webhooks set secret = 's1.none.AAAA' where no = ${bad.no}`);
  await world.store.events.accept(
    Array.from({ length: 20 }, () => world.purchase()),
    null,
  );
  const { seen, dispatcher } = await world.instance();
  await seen.seen("settled");
  await world.settledAs(seen, "pending", 20);
  assert.equal(dispatcher.statistics().queued, 0);
  assert.deepEqual(seen.of("fault"), ["read webhooks"]);
  const places = (await world.deliveries(bad.id)).map(({ state }) => state);
  assert.ok(
    places.every((state) => state === "pending"),
    places.join(),
  );
});

test("one chat webhook without options, and one of a format of a newer version, are left alone for a while", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t);
  const chat = {
    url: `https://discord.com/api/webhooks/123456789012345678/${"a".repeat(68)}`,
    format: "discord",
    shownUrl: "https://discord.com/api/webhooks/123456789012345678/…",
    chat: "{}",
  };
  const damaged = await world.webhook(chat.url, chat);
  const newer = await world.webhook(chat.url, chat);
  const good = await world.webhook(receiver.url());
  await execute(world.url, `update webhooks set chat_options = '{' where no = ${damaged.no}`);
  await execute(world.url, `update webhooks set format = 'pigeon' where no = ${newer.no}`);
  await world.store.events.accept([world.purchase(), world.purchase(), world.purchase()], null);
  const { seen } = await world.instance();
  await world.settledAs(seen, "delivered", 3);
  assert.equal((await world.deliveries(good.id)).length, 3);
  await seen.seen("fault", 2);
  assert.deepEqual(new Set(seen.of("fault")), new Set(["deliver"]));
  for (const { id } of [damaged, newer]) {
    const states = (await world.deliveries(id)).map(({ state }) => state);
    assert.ok(!states.includes("delivered") && !states.includes("dead"), states.join());
  }
});

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { chatFormat, DEFAULT_CHAT_OPTIONS } from "@markethook/chat";
import type { SqliteStore } from "@markethook/store";
import { parseAllowList } from "../guard/allow-list.ts";
import { createResolver } from "../guard/resolver.ts";
import type { WaitReason } from "../queue/place.ts";
import { type Receiver, startReceiver } from "./testing/receiver.ts";
import { sqliteWorld, type World } from "./testing/world.ts";

const HOUR = 3_600_000;

/** No time passes, so there is no room for another request than the first. */
async function testFirstRequest(
  t: TestContext,
  reason: WaitReason,
  prepare: (
    world: World<SqliteStore>,
    receiver: Receiver,
  ) => Promise<Parameters<World["instance"]>[0]>,
): Promise<void> {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  const options = await prepare(world, receiver);
  const store = { ...world.store, exclusive: false };
  const { dispatcher } = await world.instance({ ...options, store, clocks: { now: () => 1000 } });
  await dispatcher.accept([world.purchase(), world.purchase()]);
  await receiver.arrived(1);
  const { open, waiting } = dispatcher.statistics();
  assert.equal(open, 1);
  assert.ok(waiting[reason] > 0);
}

test("an instance that does not know how many others there are sends one message to a chat platform", async (t) => {
  await testFirstRequest(t, "chat-platform", async (world, { host }) => {
    for (const channel of ["1", "2"]) {
      const url = `https://discord.com/api/webhooks/${channel.repeat(18)}/${channel.repeat(68)}`;
      const recognised = chatFormat("discord").recognise(url);
      assert.ok(recognised !== null && "target" in recognised);
      const { shownUrl } = recognised.target;
      const chat = JSON.stringify(DEFAULT_CHAT_OPTIONS);
      await world.webhook(url, { format: "discord", shownUrl, chat });
    }
    return { settings: { chatOrigins: { discord: `http://${host}` } } };
  });
});

test("an instance that does not know how many others there are sends one request to a host that never answered well", async (t) => {
  await testFirstRequest(t, "unproven-host", async (world, receiver) => {
    for (const path of ["/a", "/b"]) await world.webhook(receiver.url(path));
    const resolver = createResolver({ now: () => performance.now() });
    return { places: { resolver, allow: parseAllowList("") } };
  });
});

test("an instance that does not know how many others there are begins with one request after a long pause", async (t) => {
  await testFirstRequest(t, "slow-start", async (world, receiver) => {
    const { id } = await world.webhook(receiver.url());
    await world.store.advanceClock(HOUR);
    await world.store.webhooks.pause(id, null);
    await world.store.webhooks.resume(id, null, "send");
    const slowStart = { afterMs: HOUR / 2, perSecond: 100, doubleEveryMs: HOUR, doublings: 7 };
    return { settings: { slowStart } };
  });
});

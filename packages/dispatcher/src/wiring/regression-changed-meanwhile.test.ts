import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_CHAT_OPTIONS } from "@markethook/chat";
import type { Store } from "@markethook/store";
import { startReceiver } from "./testing/receiver.ts";
import { sqliteWorld } from "./testing/world.ts";

/** Work of the database that begins, and goes on when it is told to. */
function slowWork() {
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  return {
    began: began.promise,
    goOn: goOn.resolve,
    async wait(): Promise<void> {
      began.resolve();
      await goOn.promise;
    },
  };
}

test("a chat that is paused while a message's event is read gets no message", async (t) => {
  const world = await sqliteWorld(t);
  const { store } = world;
  const receiver = await startReceiver(t);
  const address = `https://discord.com/api/webhooks/${"1".repeat(18)}`;
  const { id } = await world.webhook(`${address}/${"a".repeat(68)}`, {
    format: "discord",
    shownUrl: `${address}/…`,
    chat: JSON.stringify(DEFAULT_CHAT_OPTIONS),
  });
  const reading = slowWork();
  const chat: Store["chat"] = {
    ...store.chat,
    async context(of) {
      await reading.wait();
      return await store.chat.context(of);
    },
  };
  const { dispatcher, seen } = await world.instance({
    store: { ...store, chat },
    settings: { chatOrigins: { discord: `http://${receiver.host}` } },
  });
  await dispatcher.accept([world.purchase(7)]);
  await reading.began;
  await store.webhooks.pause(id, null);
  reading.goOn();
  await seen.seen("settled");
  assert.equal(receiver.arrivals.length, 0);
  const [delivery] = await world.deliveries();
  assert.deepEqual([delivery?.state, delivery?.attempts], ["held", 0]);
});

test("a suspect whose webhook gets another URL while it is marked is sent there", async (t) => {
  const world = await sqliteWorld(t);
  const { store } = world;
  const receiver = await startReceiver(t);
  const { id } = await world.webhook(receiver.url("/before"));
  await store.events.accept([world.purchase(7)], null);
  const marking = slowWork();
  const deliveries: Store["deliveries"] = {
    ...store.deliveries,
    async claim(request) {
      const outcome = await store.deliveries.claim(request);
      for (const delivery of outcome.deliveries) delivery.suspicion = 1;
      return outcome;
    },
    async markStarted(...marked) {
      await marking.wait();
      return await store.deliveries.markStarted(...marked);
    },
  };
  const { seen } = await world.instance({ store: { ...store, deliveries } });
  await marking.began;
  await store.webhooks.change(id, null, { url: receiver.url("/after") });
  marking.goOn();
  await world.settledAs(seen, "delivered", 1);
  assert.deepEqual(
    receiver.arrivals.map(({ path, attempt }) => [path, attempt]),
    [["/after", 1]],
  );
});

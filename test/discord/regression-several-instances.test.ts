import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_CHAT_OPTIONS, chatFormat } from "@markethook/chat";
import { postgresWorld } from "../../packages/dispatcher/src/wiring/testing/world.ts";
import { startDiscord } from "./stand-in.ts";

const CHANNELS = 7;
const MESSAGES = 20;

test("two instances that post to the same channels are refused at most while they get to know each other", async (t) => {
  // Half of Discord's times.
  const discord = await startDiscord({
    bucket: { limit: 5, perMs: 1000 },
    global: { limit: 50, perMs: 500 },
  });
  t.after(() => discord.close());
  const world = await postgresWorld(t);
  const settings = {
    leaseMs: 2000,
    // The machine of a test may be busy.
    intakeTimeoutMs: 60_000,
    chatOrigins: { discord: discord.origin },
    chatLimits: { perSecond: 90 },
  };
  const one = await world.instance({ settings });
  const two = await world.instance({ settings, store: await world.another() });
  const channels = Array.from({ length: CHANNELS }, () => discord.addChannel());
  for (const { url, id } of channels) {
    await world.store.resources.put([
      { id, ownerId: world.ownerId, title: "Castle", subtitle: "" },
    ]);
    const recognised = chatFormat("discord").recognise(url);
    assert.ok(recognised !== null && "target" in recognised);
    const { shownUrl } = recognised.target;
    const chat = JSON.stringify(DEFAULT_CHAT_OPTIONS);
    await world.webhook(url, { resourceId: id, format: "discord", shownUrl, chat });
  }
  for (let sent = 0; sent < MESSAGES; sent += 2)
    for (const { dispatcher } of [one, two])
      await dispatcher.accept(channels.map(({ id }) => world.purchase(undefined, id)));
  await discord.waitFor(() => channels.every(({ messages }) => messages.length >= MESSAGES));
  assert.ok(
    (discord.answers.get("429 user") ?? 0) <= CHANNELS,
    JSON.stringify([...discord.answers]),
  );
  assert.equal(discord.answers.get("429 global"), undefined);
});

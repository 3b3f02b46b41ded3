import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeApiKey } from "@markethook/api/tokens";
import { DEFAULT_CHAT_OPTIONS } from "@markethook/chat";
import { makeSecret } from "@markethook/protocol";
import { openSqlite } from "@markethook/store";
import { sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";
import { startDiscord } from "./stand-in.ts";

const SALES = 45;
const AT_ONCE = 5;

test("killed in the middle, every sale stands in the channel, and at most those under way stand there twice", async (t) => {
  const discord = await startDiscord({ bucket: { limit: AT_ONCE, perMs: 60 } });
  t.after(() => discord.close());
  const channel = discord.addChannel();
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const masterKey = randomBytes(32);
  const baseUrl = "https://market.example";
  const apiKey = makeApiKey(randomBytes);
  const store = await openSqlite({ folder: place.folder, baseUrl, masterKeys: [masterKey] });
  await store.resources.put([{ id: "castle", ownerId: "owner", title: "Castle", subtitle: "" }]);
  await store.webhooks.create(
    {
      id: "wh_discordkilled0000",
      resourceId: "castle",
      url: channel.url,
      format: "discord",
      shownUrl: `https://discord.com/api/webhooks/${channel.id}/…`,
      chat: JSON.stringify(DEFAULT_CHAT_OPTIONS),
      events: null,
      description: "",
      secret: makeSecret(randomBytes),
    },
    null,
  );
  await store.close();
  const env = {
    ...place.env,
    MARKETHOOK_BASE_URL: baseUrl,
    MARKETHOOK_API_KEY: apiKey,
    MARKETHOOK_MASTER_KEY: masterKey.toString("base64"),
    MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    MARKETHOOK_CHAT_ORIGINS: `discord=${discord.origin}`,
    MARKETHOOK_LOG_LEVEL: "debug",
  };
  const first = await startServiceProcess(env);
  t.after(() => first.signal("SIGKILL"));
  const response = await fetch(`${first.address}/v1/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      events: Array.from({ length: SALES }, (_, i) => ({
        resourceId: "castle",
        event: "product.user.purchase",
        user: { id: i + 1 },
        details: { orderId: `o${i}` },
        idempotencyKey: `o${i}`,
      })),
    }),
  });
  assert.equal(response.status, 202);
  await discord.waitFor(() => channel.messages.length >= SALES / 3);
  first.signal("SIGKILL");
  await first.exited;
  const second = await startServiceProcess(env);
  t.after(() => second.signal("SIGKILL"));
  const orders = (): string[] =>
    channel.messages.map(({ embeds }) => /o\d+/.exec(JSON.stringify(embeds[0]?.fields))?.[0] ?? "");
  await discord.waitFor(() => new Set(orders()).size === SALES);
  second.signal("SIGTERM");
  await second.exited;
  const twice = orders().length - SALES;
  assert.ok(twice <= 2 * AT_ONCE, `${twice} sales stand there twice`);
  assert.equal(discord.answers.get("429 user"), undefined, "the pace begins carefully again");
  assert.deepEqual([...discord.violations], []);
  assert.ok(!JSON.stringify([first.log, second.log]).includes(channel.token));
  t.diagnostic(`${twice} of ${SALES} sales stand there twice`);
});

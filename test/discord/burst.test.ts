import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test, type TestContext } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { size } from "../size.ts";
import { type ChatInstance, purchase, startChatInstance } from "../chat-instance.ts";
import type { Channel } from "./channels.ts";
import { startDiscord } from "./stand-in.ts";

/**
 * Many at once: 10,000 purchases and a fifth as many dead webhooks, of which the suite runs a sample. The stand-in's buckets are fast, and its ban is as strict as Discord's.
 */
const BURST = size(1000, 10_000);
const DEAD = Math.floor(BURST / 5);
const FAST = {
  bucket: { limit: 10, perMs: 10 },
  global: { limit: 2000, perMs: 1000 },
  ban: { after: 50 },
};
const RATE = { perSecond: 1900 };

test(`${BURST} purchases on one channel and more on thirty webhooks of another arrive once each, while others go on`, async (t) => {
  const discord = await startDiscord(FAST);
  t.after(() => discord.close());
  const instance = await startChatInstance(t, { discord: discord.origin }, { chatLimits: RATE });
  const busy = discord.addChannel();
  const shared = discord.addChannel();
  const resource = await instance.resource();
  const other = await instance.resource();
  const plain = await instance.resource();
  await instance.webhook(resource, busy.url);
  for (let i = 0; i < 30; i += 1) await instance.webhook(other, shared.url);
  const receiver = await startReceiver(t);
  await instance.webhook(plain, receiver.url);
  const idle = await latencies(instance, plain, receiver, () => receiver.count >= 100);

  const sharedSales = Math.ceil(BURST / 50);
  const done = (): boolean =>
    busy.messages.length >= BURST && shared.messages.length >= sharedSales * 30;
  for (let user = 0; user < BURST; user += 500) {
    const size = Math.min(500, BURST - user);
    await instance.report(
      Array.from({ length: size }, (_, i) =>
        purchase(resource, user + i, { orderId: `o${user + i}` }),
      ),
    );
  }
  await instance.report(
    Array.from({ length: sharedSales }, (_, i) => purchase(other, i, { orderId: `o${i}` })),
  );
  const loaded = await latencies(instance, plain, receiver, done);
  await instance.until(async () => (await instance.store.maintenance.statistics()).leased === 0);

  assert.deepEqual(salesOf(busy), new Map(numbers(BURST).map((n) => [`o${n}`, 1])));
  assert.deepEqual(salesOf(shared), new Map(numbers(sharedSales).map((n) => [`o${n}`, 30])));
  assert.equal(discord.banned, false);
  assert.deepEqual([...discord.violations], []);
  t.diagnostic(`answers of the stand-in: ${JSON.stringify([...discord.answers])}`);
  t.diagnostic(
    `p99 of another webhook: ${p99(idle)} ms before, ${p99(loaded)} ms during the burst`,
  );
});

test(`${DEAD} dead webhooks get no more invalid answers than the budget has, and all are disabled with a reason`, async (t) => {
  // Half of them are asked within it, however slow the machine is: it ends when the clocks are set to its end.
  const budget = { answers: DEAD / 2, windowMs: 600_000 };
  const ahead = { ms: 0 };
  const discord = await startDiscord({
    ...FAST,
    ban: { after: budget.answers + 1, windowMs: budget.windowMs },
    now: () => performance.now() + ahead.ms,
  });
  t.after(() => discord.close());
  const instance = await startChatInstance(
    t,
    { discord: discord.origin },
    { chatLimits: { ...RATE, invalid: budget } },
    ahead,
  );
  const resources: string[] = [];
  for (let i = 0; i < DEAD; i += 1) {
    const channel = discord.addChannel();
    channel.state = i % 3 === 0 ? "forbidden" : "deleted";
    // Of several owners, because one has a part of the budget only.
    if (i % 50 === 0) resources.push(await instance.resource(`owner-${i}`));
    const url = i % 3 === 1 ? `${channel.url.slice(0, -4)}gone` : channel.url;
    if (i % 3 === 1) channel.state = "usable";
    await instance.webhook(resources.at(-1) ?? "", url);
  }
  await instance.report(resources.map((resource) => purchase(resource, 7)));
  const disabled = async (): Promise<number> =>
    (await instance.store.maintenance.statistics()).webhooks.disabled;
  await instance.until(async () => (await disabled()) === budget.answers);
  ahead.ms = budget.windowMs;
  await instance.store.advanceClock(budget.windowMs);
  await instance.until(async () => (await disabled()) === DEAD);
  assert.equal(discord.banned, false);
  assert.ok(discord.invalid.most <= budget.answers);
  assert.equal(discord.invalid.total, DEAD, "each was asked once");
  const reasons = new Set<string>();
  for (const webhook of await instance.store.webhooks.listDisabled(DEAD))
    reasons.add(webhook.disabledReason ?? "none");
  assert.deepEqual([...reasons].sort(), ["chat_deleted", "chat_forbidden", "chat_token"]);
  const notices = await instance.store.notices.list(0, DEAD * 2, null);
  assert.ok(notices.some(({ kind, ownerId }) => kind === "chat_paused" && ownerId === ""));
  assert.equal(notices.filter(({ kind }) => kind === "webhook_disabled").length, DEAD);
});

interface Receiver {
  url: string;
  count: number;
  arrived(user: number): Promise<number>;
}

async function startReceiver(t: TestContext): Promise<Receiver> {
  const arrivals = new Map<number, (at: number) => void>();
  const server = createServer((request, response) => {
    const at = performance.now();
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      response.end();
      receiver.count += 1;
      const { payload } = JSON.parse(text) as { payload: { user: { id: number } } };
      arrivals.get(payload.user.id)?.(at);
    });
  });
  const port = await listenOnLoopback(server);
  t.after(() => server.close().closeAllConnections());
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    count: 0,
    arrived: (user) => new Promise((resolve) => arrivals.set(user, resolve)),
  };
  return receiver;
}

/** One event after the other to the other webhook; milliseconds from the 202 to its arrival. */
async function latencies(
  instance: ChatInstance,
  resource: string,
  receiver: Receiver,
  done: () => boolean,
): Promise<number[]> {
  const all: number[] = [];
  for (let user = receiver.count + 1; !done(); user += 1) {
    const arrival = receiver.arrived(user);
    await instance.report([purchase(resource, user)]);
    const from = performance.now();
    all.push((await arrival) - from);
  }
  return all;
}

function p99(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(1);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** How often each order stands in the channel. */
function salesOf(channel: Channel): Map<string, number> {
  const counts = new Map<string, number>();
  for (const message of channel.messages) {
    const order = /o\d+/.exec(JSON.stringify(message.embeds[0]?.fields))?.[0] ?? "";
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1))));
}

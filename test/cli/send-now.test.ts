import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { client, markethook, service, useCommands } from "./use-commands.ts";

useCommands({ MARKETHOOK_RETRY_SCHEDULE: "1h,1h" });

/** A webhook of which so many deliveries have failed once and wait an hour; from now on its receiver answers well. */
async function waiting(t: TestContext, resource: string, count: number): Promise<string> {
  let status = 500;
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => void response.writeHead(status).end());
  });
  const port = await listenOnLoopback(receiver);
  t.after(() => receiver.close().closeAllConnections());
  await client.resources.put(resource, { title: resource, ownerId: "1001" });
  const { id } = await client.webhooks.create(resource, { url: `http://127.0.0.1:${port}/` });
  await client.events.reportMany(
    Array.from({ length: count }, (_, index) => ({
      resourceId: resource,
      event: "product.user.purchase" as const,
      user: { id: index + 1 },
    })),
  );
  while ((await of(id, "pending")).filter(({ attempts }) => attempts === 1).length < count)
    await pause(10);
  status = 204;
  return id;
}

async function of(webhookId: string, state: "pending" | "delivered") {
  return await Array.fromAsync(client.deliveries.list({ webhookId, state }));
}

test("a delivery that waits is sent now; one that has ended is not", async (t) => {
  const webhook = await waiting(t, "tower", 1);
  const [one] = await of(webhook, "pending");
  const line = `send-now ${one?.id ?? ""}`;
  assert.equal(await markethook.done(line), `${one?.id ?? ""} is sent now.\n`);
  while ((await of(webhook, "delivered")).length < 1) await pause(10);
  const again = await markethook.run(line);
  assert.equal(again.code, 4);
  assert.match(again.stderr, /has ended.*redeliver it/s);
  assert.equal((await markethook.run("send-now castle")).code, 2);
});

test("all that waits for a webhook is counted, and sent now only when told so", async (t) => {
  const webhook = await waiting(t, "gate", 30);
  const line = `send-now ${webhook}`;
  assert.equal((await markethook.json(`${line} --dry-run`))["count"], 30);
  const asked = await markethook.run(line);
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /Send 30 deliveries now\? .*--yes/);
  const done = await markethook.run(`${line} --yes`);
  assert.deepEqual([done.code, done.stdout], [0, "30 on their way.\n"]);
  while ((await of(webhook, "delivered")).length < 30) await pause(10);
  assert.equal(await markethook.done(line), "0 deliveries waiting.\n");
});

test("what a webhook missed is counted, then sent; what ended has its own replay", async () => {
  await client.resources.put("late", { title: "late", ownerId: "1001" });
  await client.events.report("late", { event: "product.user.purchase", user: { id: 1 } });
  await client.events.report("late", { event: "product.user.purchase", user: { id: 2 } });
  const webhook = (await client.webhooks.create("late", { url: service.receiverUrl })).id;
  await client.events.report("late", { event: "product.user.purchaseRemoved", user: { id: 2 } });
  while ((await of(webhook, "delivered")).length < 1) await pause(10);
  const line = `replay ${webhook} --from 0 --to 4000000000 --missing`;
  const counted = await markethook.run(`${line} --dry-run`);
  assert.deepEqual([counted.code, counted.stdout], [0, "1 missing delivery in that range.\n"]);
  assert.match(counted.stderr, /1 left out: a later event about the same buyer was sent/);
  assert.equal((await markethook.run(`${line} --state dead`)).code, 2);
  assert.equal(await markethook.done(`${line} --yes`), "1 on their way.\n");
  assert.equal(await markethook.done(`${line} --out-of-order --yes`), "1 on their way.\n");
  while ((await of(webhook, "delivered")).length < 3) await pause(10);
});

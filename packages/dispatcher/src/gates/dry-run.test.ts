import assert from "node:assert/strict";
import { test } from "node:test";
import { MarkethookError } from "@markethook/protocol";
import { parseAllowList } from "../guard/allow-list.ts";
import { createDryRun } from "./dry-run.ts";
import { testSender } from "../send/testing/test-sender.ts";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { sqliteWorld } from "../wiring/testing/world.ts";

/** Every host of these tests is an address. */
const LITERAL = { resolve: async (host: string) => [host] };

function dryRunExcept(allowed: string, resolver: Parameters<typeof createDryRun>[0]["resolver"]) {
  return createDryRun({ allow: parseAllowList(allowed), blockedPorts: new Set(), resolver });
}

test("held, everything is accepted and stays pending, except for what is allowed by name", async (t) => {
  const world = await sqliteWorld(t);
  const [allowed, other] = [await startReceiver(t), await startReceiver(t)];
  const dryRun = dryRunExcept(allowed.host, LITERAL);
  const { dispatcher, seen } = await world.instance({ dryRun });
  const held = await world.webhook(other.url());
  const sent = await world.webhook(allowed.url());
  for (let user = 1; user <= 10; user += 1) await dispatcher.accept([world.purchase(user)]);
  await world.settledAs(seen, "delivered", 10);
  // What the held webhook had in memory has been given back, and is not claimed over and over.
  const claims = seen.of("claimed").length;
  await dispatcher.accept([world.purchase(11)]);
  await allowed.arrived(11);
  const states = (await world.deliveries(held.id)).map(({ state, attempts }) => [state, attempts]);
  assert.equal(states.length, 11);
  for (const [state, attempts] of states) assert.deepEqual([state, attempts], ["pending", 0]);
  assert.equal(other.arrivals.length, 0);
  assert.ok(seen.of("claimed").length - claims <= 1);
  assert.equal((await dispatcher.ping(sent.id, null, "current")).outcome, "ok");
  await assert.rejects(
    dispatcher.ping(held.id, null, "current"),
    (error) => error instanceof MarkethookError && error.code === "dry_run",
  );
  assert.equal(other.arrivals.length, 0);
});

test("a webhook whose URL changes to an allowed place is sent to from then on", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  const { dispatcher, seen } = await world.instance({ dryRun: dryRunExcept("127.0.0.1", LITERAL) });
  const webhook = await world.webhook("https://93.184.216.34/hook");
  await dispatcher.accept([world.purchase(1)]);
  await world.settledAs(seen, "pending", 1);
  await world.store.webhooks.change(webhook.id, null, { url: receiver.url() });
  await receiver.arrived(1);
});

test("of a disabled webhook no probe goes out", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, 500);
  const webhook = await world.webhook(receiver.url());
  const disable = { afterMs: 0, attempts: 2, events: 1, probeAfterMs: 0, acceptedWithinMs: 0 };
  const failing = await world.instance({ settings: { disable } });
  await failing.dispatcher.accept([world.purchase(1), world.purchase(2)]);
  await world.settledAs(failing.seen, "held", 1);
  await failing.dispatcher.stop();
  const arrivals = receiver.arrivals.length;
  const { seen } = await world.instance({ dryRun: dryRunExcept("", LITERAL) });
  // A probe is taken, and given back.
  await seen.seen("settled", 2);
  assert.equal(receiver.arrivals.length, arrivals);
  assert.equal((await world.store.webhooks.get(webhook.id, null)).state, "disabled");
});

test("a name goes where all its addresses are allowed; one that leads out, or nowhere, is held", async () => {
  const answers: Record<string, string[]> = {
    "in.shop.example.com": ["10.0.0.7"],
    "out.shop.example.com": ["93.184.216.34"],
    "both.shop.example.com": ["10.0.0.7", "93.184.216.34"],
  };
  let asked = 0;
  const resolver = {
    resolve: async (name: string) => {
      asked += 1;
      return answers[name] ?? Promise.reject(new Error("unknown"));
    },
  };
  const dryRun = dryRunExcept("10.0.0.0/24", resolver);
  assert.equal(await dryRun.mayGo("http://in.shop.example.com/"), true);
  for (const name of ["out", "both", "none"]) {
    assert.equal(await dryRun.mayGo(`http://${name}.shop.example.com/`), false, name);
  }
  assert.equal(await dryRun.mayGo("https://93.184.216.34/"), false);
  assert.equal(asked, 4);
  // With nothing allowed, nobody is even asked for.
  assert.equal(await dryRunExcept("", resolver).mayGo("http://in.shop.example.com/"), false);
  assert.equal(asked, 4);
});

test("the sender itself refuses what is not allowed by name, whatever was decided before", async (t) => {
  const receiver = await startReceiver(t);
  const allow = { ...parseAllowList("127.0.0.2"), exclusive: true };
  const resolver = { resolve: async () => ["93.184.216.34"] };
  const world = await sqliteWorld(t);
  const sender = testSender(t, { allow, resolver });
  const { dispatcher } = await world.instance({ sender });
  for (const url of [receiver.url(), "http://shop.example.com/"]) {
    const webhook = await world.webhook(url);
    assert.equal((await dispatcher.ping(webhook.id, null, "current")).outcome, "blocked");
  }
  assert.equal(receiver.arrivals.length, 0);
});

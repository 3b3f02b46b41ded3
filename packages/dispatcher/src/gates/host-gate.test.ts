import assert from "node:assert/strict";
import { isIP } from "node:net";
import { test } from "node:test";
import type { SendableWebhook } from "@markethook/store";
import { parseAllowList } from "../guard/allow-list.ts";
import { sampleResult, sampleWebhook } from "../wiring/testing/samples.ts";
import { createConfirmedHosts } from "./confirmed-hosts.ts";
import { HostGate } from "./host-gate.ts";

function gateOver(names: Record<string, string[]>, allow = "") {
  const clock = { now: 1000 };
  const perSecond = { now: 3 };
  /** By name, what the resolver has been asked for. */
  const kept = new Map<string, string[]>();
  const woken: string[] = [];
  const confirmed = createConfirmedHosts({
    store: { confirmed: async () => [], confirm: async () => {} },
    fault: assert.fail,
  });
  const gate = new HostGate({
    confirmed,
    resolver: {
      known: (host) => (isIP(host) === 0 ? kept.get(host) : [host]),
      async resolve(host) {
        const addresses = names[host];
        kept.set(host, addresses ?? []);
        if (addresses === undefined) throw new Error("no such name");
        return addresses;
      },
    },
    allow: parseAllowList(allow),
    perSecond: () => perSecond.now,
    now: () => clock.now,
    wake: (place) => woken.push(`${place.reason} ${place.name}`),
  });
  /** How many of these go now, each name known already. */
  async function going(webhooks: readonly SendableWebhook[]): Promise<number> {
    for (const webhook of webhooks) gate.wait(webhook);
    await new Promise(setImmediate);
    let count = 0;
    for (const webhook of webhooks) {
      if (gate.wait(webhook) !== null) continue;
      gate.enter(webhook);
      count += 1;
    }
    return count;
  }
  return { gate, clock, woken, going, kept, perSecond };
}

const to = (...urls: string[]): SendableWebhook[] =>
  urls.map((url, index) => sampleWebhook({ no: index + 1, url }));

test("a host that never answered gets so many in a second, however its name is written", async () => {
  const { going, clock } = gateOver({ "victim.example.com": ["93.184.216.34"] });
  const webhooks = to(
    ..."https://victim.example.com/1 https://VICTIM.example.com/2 https://victim.EXAMPLE.com/3".split(
      " ",
    ),
    ..."https://victim.example.com/4 https://victim.example.com?5 https://Victim.example.com/6".split(
      " ",
    ),
  );
  assert.equal(await going(webhooks), 3);
  clock.now += 500;
  assert.equal(await going(webhooks), 0);
  clock.now += 600;
  assert.equal(await going(webhooks), 3);
});

test("names and ports that lead to one address share what it gets", async () => {
  const names = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`n${i}.example.com`, ["8.8.8.8", "93.184.216.34"]]),
  );
  const { going } = gateOver(names);
  const urls = Object.keys(names).map((name, i) => `http://${name}:${8000 + i}/`);
  assert.equal(await going(to(...urls, "http://93.184.216.34/")), 3);
});

test("an address and the one that NAT64 makes of it share what one machine gets", async () => {
  const [plain, translated] = [["93.184.216.34"], ["64:ff9b::5db8:d822"]];
  const names = { "a.example.com": plain, "b.example.com": translated };
  const urls = Object.keys(names).flatMap((name) => Array<string>(3).fill(`http://${name}/`));
  assert.equal(await gateOver(names).going(to(...urls)), 3);
  const both = { "a.example.com": [...plain, ...translated] };
  assert.equal(await gateOver(both).going(to(...urls.slice(0, 3))), 3);
});

test("names that change their addresses are counted where the dial will go, not where they led before", async () => {
  const names: Record<string, string[]> = {};
  for (let i = 0; i < 9; i += 1) names[`n${i}.example.com`] = [`8.8.8.${i}`];
  const { going, kept } = gateOver(names);
  const webhooks = to(...Object.keys(names).map((name) => `http://${name}/`));
  assert.equal(await going(webhooks), 9);
  for (const name of Object.keys(names)) names[name] = ["93.184.216.34"];
  kept.clear();
  assert.equal(await going(webhooks), 3);
});

test("one good answer, and a host has its caps only", async () => {
  const { gate, going, woken } = gateOver({ "shop.example.com": ["93.184.216.34"] });
  const webhooks = to(...Array.from({ length: 9 }, (_, i) => `https://shop.example.com/${i}`));
  assert.equal(await going(webhooks), 3);
  gate.note("shop.example.com", sampleResult({ address: "93.184.216.34" }));
  assert.ok(woken.includes("unproven-host shop.example.com"));
  assert.equal(await going(webhooks), 9);
});

test("an operator's own receivers, chats and names that lead nowhere are not limited", async () => {
  const { going } = gateOver({ "crm.internal": ["10.0.0.5"] }, "10.0.0.0/8");
  const nine = (url: string): string[] => Array.from({ length: 9 }, () => url);
  assert.equal(await going(to(...nine("http://crm.internal/"))), 9);
  assert.equal(await going(to(...nine("http://10.0.0.9/"))), 9);
  assert.equal(await going(to(...nine("http://nowhere.example.com/"))), 9);
});

test("a ping waits for its turn for a while, and is not sent when that is too long", async () => {
  const { gate, clock } = gateOver({});
  const [webhook = sampleWebhook({})] = to("http://93.184.216.34/");
  for (let count = 0; count < 3; count += 1) assert.equal(await gate.turn(webhook), true);
  const waiting = gate.turn(webhook);
  clock.now += 6000;
  assert.equal(await waiting, true);
  for (let count = 1; count < 3; count += 1) assert.equal(await gate.turn(webhook), true);
  clock.now -= 60_000;
  assert.equal(await gate.turn(webhook), false, "the next one may go in a minute");
});

const MINE = "8.8.8.8";
const VICTIM = "93.184.216.34";
const NAME = "shop.example.com";

test("a confirmed name that is pointed elsewhere may not reach the new address, and is limited there", async () => {
  const names = { [NAME]: [MINE] };
  const { gate, going, kept } = gateOver(names);
  const [webhook = sampleWebhook({}), ...others] = to(
    ...Array.from({ length: 9 }, () => `http://${NAME}/`),
  );
  gate.note(NAME, sampleResult({ address: MINE }));
  assert.equal(gate.reach(webhook)(MINE), true);
  names[NAME] = [VICTIM];
  kept.clear();
  assert.equal(await going([webhook, ...others]), 9, "where it leads is not looked up for each");
  assert.equal(gate.reach(webhook)(VICTIM), false);
  gate.note(NAME, sampleResult({ category: "address_unconfirmed", sent: false, address: null }));
  assert.equal(await going([webhook, ...others]), 3);
  assert.equal(gate.reach(webhook)(VICTIM), true, "these were counted");
  gate.note(NAME, sampleResult({ status: 403, address: VICTIM }));
  assert.equal(await going([webhook, ...others]), 0);
});

test("a request that was counted for one address may not go to the one that its name leads to when it is dialled", async () => {
  const { gate, going, kept } = gateOver({ [NAME]: [MINE] });
  const [webhook = sampleWebhook({})] = to(`http://${NAME}/`);
  assert.equal(await going([webhook]), 1);
  const mayReach = gate.reach(webhook);
  kept.set(NAME, [VICTIM]);
  assert.deepEqual([mayReach(MINE), mayReach(VICTIM)], [true, false]);
});

test("a name that leads back to a confirmed address is free again, and may not use what it opened elsewhere", async () => {
  const names = { [NAME]: [MINE] };
  const { gate, going, kept } = gateOver(names);
  const webhooks = to(...Array.from({ length: 9 }, () => `http://${NAME}/`));
  const [webhook = sampleWebhook({})] = webhooks;
  gate.note(NAME, sampleResult({ address: MINE }));
  gate.note(NAME, sampleResult({ category: "address_unconfirmed", sent: false, address: null }));
  names[NAME] = [VICTIM];
  assert.equal(await going(webhooks), 3);
  names[NAME] = [MINE, VICTIM];
  kept.clear();
  assert.equal(await going(webhooks), 9);
  assert.deepEqual([gate.reach(webhook)(MINE), gate.reach(webhook)(VICTIM)], [true, false]);
});

test("a name that leads to eight confirmed addresses in turn is never limited", async () => {
  const addresses = Array.from({ length: 8 }, (_, i) => `8.8.8.${i}`);
  const names: Record<string, string[]> = {};
  const { gate, going, kept } = gateOver(names);
  for (const address of addresses) gate.note(NAME, sampleResult({ address }));
  const webhooks = to(...Array.from({ length: 50 }, () => `http://${NAME}/`));
  for (const address of addresses) {
    names[NAME] = [address];
    kept.clear();
    assert.equal(await going(webhooks), 50);
    assert.equal(gate.reach(sampleWebhook({ url: `http://${NAME}/` }))(address), true);
  }
});

test("where no connection comes about, the other addresses of the name have their turn", async () => {
  const { gate, going } = gateOver({ [NAME]: [MINE, VICTIM] });
  const webhooks = to(...Array.from({ length: 9 }, () => `http://${NAME}/`));
  const [webhook = sampleWebhook({})] = webhooks;
  await going([webhook]);
  gate.note(NAME, sampleResult({ address: MINE }));
  assert.equal(gate.reach(webhook)(VICTIM), false);
  const refused = { category: "connection_refused", sent: false, status: null } as const;
  gate.note(NAME, sampleResult({ ...refused, address: null }));
  assert.equal(await going(webhooks), 2);
  assert.equal(gate.reach(webhook)(VICTIM), true);
});

test("names that were out of reach for a while are not limited where they answered before", async () => {
  const names = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`n${i}.example.com`, [MINE, "8.8.4.4"]]),
  );
  const { gate, going } = gateOver(names);
  const webhooks = to(...Object.keys(names).map((name) => `http://${name}/`));
  for (const name of Object.keys(names)) {
    for (const address of [MINE, "8.8.4.4"]) gate.note(name, sampleResult({ address }));
    const unreachable = { category: "timeout", sent: false, status: null, address: null } as const;
    gate.note(name, sampleResult(unreachable));
  }
  assert.equal(await going(webhooks), 9);
  assert.equal(gate.reach(webhooks[0] ?? sampleWebhook({}))(VICTIM), false);
});

test("what an instance may send to an unconfirmed address can change while it waits", async () => {
  const { going, clock, perSecond } = gateOver({ [NAME]: [VICTIM] });
  const webhooks = to(...Array.from({ length: 9 }, () => `http://${NAME}/`));
  perSecond.now = 1;
  assert.equal(await going(webhooks), 1);
  perSecond.now = 4;
  assert.equal(await going(webhooks), 3);
  clock.now += 1100;
  assert.equal(await going(webhooks), 4);
});

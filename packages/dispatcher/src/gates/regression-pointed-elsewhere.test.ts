import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { ONE_LOOPBACK_ADDRESS } from "@markethook/protocol/testing";
import type { Store } from "@markethook/store";
import { parseAllowList } from "../guard/allow-list.ts";
import type { CachingResolver } from "../guard/resolver.ts";
import { testSender } from "../send/testing/test-sender.ts";
import { postgresWorld, sqliteWorld, type World } from "../wiring/testing/world.ts";

const OWN = "127.0.0.1";
const VICTIM = "127.0.0.2";
const PER_SECOND = 20;

/**
 * Two servers on one port: the attacker's own says 204 and closes, so that names are looked up again; the victim says 403.
 */
async function startServers(t: TestContext) {
  const own = await startCounting(t, { host: OWN, port: 0, status: 204 });
  const victim = await startCounting(t, { host: VICTIM, port: own.port, status: 403 });
  return { own, victim };
}

async function startCounting(t: TestContext, at: { host: string; port: number; status: number }) {
  const waiting: { count: number; resolve: () => void }[] = [];
  const counting = {
    port: 0,
    count: 0,
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        if (counting.count >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
  const server = createServer((request, response) => {
    counting.count += 1;
    for (const one of waiting) if (counting.count >= one.count) one.resolve();
    if (at.status === 204) response.setHeader("Connection", "close");
    request.resume().on("end", () => response.writeHead(at.status).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(at.port, at.host, resolve);
  });
  t.after(() => server.close().closeAllConnections());
  counting.port = (server.address() as AddressInfo).port; // It listens on TCP.
  return counting;
}

/** Names that lead where they are told to, at once. */
function names(address: string): CachingResolver & { all: string } {
  return {
    all: address,
    known() {
      return [this.all];
    },
    async resolve() {
      return [this.all];
    },
  };
}

async function flood(t: TestContext, world: World, stores: readonly Store[]): Promise<void> {
  const { own, victim } = await startServers(t);
  const resolver = names(OWN);
  const hosts = Array.from({ length: 10 }, (_, i) => `n${i}.example.com`);
  for (const host of hosts) await world.webhook(`http://${host}:${own.port}/`);
  const instances = await Promise.all(
    stores.map((store) =>
      world.instance({
        store,
        sender: testSender(t, { resolver }),
        places: { resolver, allow: parseAllowList("") },
        settings: { schedule: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], leaseMs: 1000 },
      }),
    ),
  );
  const report = async (count: number): Promise<void> => {
    for (const { dispatcher } of instances) {
      await dispatcher.accept(Array.from({ length: count }, () => world.purchase()));
    }
  };
  await report(20);
  await own.arrived(200 * instances.length);

  resolver.all = VICTIM;
  const from = performance.now();
  await report(100);
  await victim.arrived(3 * PER_SECOND);
  const seconds = (performance.now() - from) / 1000;
  const most = PER_SECOND * (seconds + 1.1) + instances.length;
  assert.ok(victim.count <= most, `${victim.count} in ${seconds} s`);

  resolver.all = OWN;
  const before = own.count;
  const flooded = victim.count;
  await own.arrived(before + 400);
  assert.ok(victim.count - flooded <= PER_SECOND, "kept connections are not used either");
}

test(
  "names confirmed by one server and pointed at another flood it no more than unknown ones",
  { skip: ONE_LOOPBACK_ADDRESS },
  async (t) => {
    const world = await sqliteWorld(t);
    await flood(t, world, [world.store]);
  },
);

test("and two instances together no more than one", { skip: ONE_LOOPBACK_ADDRESS }, async (t) => {
  const world = await postgresWorld(t);
  await flood(t, world, [world.store, await world.another()]);
});

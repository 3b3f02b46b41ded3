import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAllowList } from "../guard/allow-list.ts";
import type { Store } from "@markethook/store";
import { createResolver } from "../guard/resolver.ts";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { postgresWorld, sqliteWorld } from "../wiring/testing/world.ts";

test("a hundred owners cannot flood a host together that never answered well; once it has, all goes", async (t) => {
  const world = await sqliteWorld(t);
  let arrived = 0;
  const victim = await startReceiver(t, () => {
    arrived += 1;
    return 500;
  });
  const now = (): number => performance.now();
  const places = { resolver: createResolver({ now }), allow: parseAllowList("") };
  const { dispatcher, seen } = await world.instance({ places });
  const owners = Array.from({ length: 100 }, (_, i) => ({ id: `r-${i}`, ownerId: `o-${i}` }));
  await world.store.resources.put(owners.map((one) => ({ ...one, title: "x", subtitle: "" })));
  for (const { id } of owners) await world.webhook(victim.url(), { resourceId: id });

  const from = performance.now();
  await dispatcher.accept(owners.map(({ id }) => world.purchase(undefined, id)));
  await seen.seen("attempt", 25);
  const seconds = (performance.now() - from) / 1000;
  // Counted over the whole time: when each one arrives is the machine's affair, when it goes is `rate-window.test.ts`.
  assert.ok(arrived <= 20 * (seconds + 1), `${arrived} in ${seconds} s`);

  victim.answer(204);
  await world.settledAs(seen, "delivered", 100);
  await dispatcher.stop();
  assert.deepEqual(await world.store.hosts.confirmed(10), [
    { host: victim.host, address: "127.0.0.1" },
  ]);
});

test("two instances together send a host that never answered well no more than one would", async (t) => {
  const world = await postgresWorld(t);
  const arrivals: number[] = [];
  const victim = await startReceiver(t, () => {
    arrivals.push(performance.now());
    return 403;
  });
  const now = (): number => performance.now();
  const places = () => ({ resolver: createResolver({ now }), allow: parseAllowList("") });
  const counted = [new Counted(world.store), new Counted(await world.another())];
  const instances = await Promise.all(
    // They count each other four times in a lease.
    counted.map(({ store }) =>
      world.instance({ places: places(), store, settings: { leaseMs: 2000 } }),
    ),
  );
  const owners = Array.from({ length: 100 }, (_, i) => ({ id: `r-${i}`, ownerId: `o-${i}` }));
  await world.store.resources.put(owners.map((one) => ({ ...one, title: "x", subtitle: "" })));
  for (const { id } of owners) await world.webhook(victim.url(), { resourceId: id });
  await Promise.all(counted.map((one) => one.sawTwo));

  // The first of them may arrive long after it went: from before that on.
  const from = performance.now();
  await Promise.all(
    instances.map(({ dispatcher }, index) =>
      dispatcher.accept(
        owners.flatMap(({ id }, no) => (no % 2 === index ? [world.purchase(undefined, id)] : [])),
      ),
    ),
  );
  await victim.arrived(60);
  const seconds = ((arrivals[59] ?? 0) - from) / 1000;
  assert.ok(60 <= 20 * (seconds + 1), `60 in ${seconds} s`);
});

/** A store that resolves `sawTwo` once its instance has counted two instances. */
class Counted {
  readonly store: Store;
  readonly sawTwo: Promise<void>;

  constructor(store: Store) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.sawTwo = promise;
    const list = async () => {
      const found = await store.instances.list();
      // The instance has the answer one turn later.
      if (found.length === 2) setImmediate(resolve);
      return found;
    };
    this.store = { ...store, instances: { ...store.instances, list } };
  }
}

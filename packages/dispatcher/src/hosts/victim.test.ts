import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAllowList } from "../guard/allow-list.ts";
import { createResolver } from "../guard/resolver.ts";
import { startReceiver } from "../testing/receiver.ts";
import { sqliteWorld } from "../testing/world.ts";

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

/**
 * A sender's thread has a resolver of its own. Where a name leads to another address in each answer, the gate counted requests
 * for one address and the thread found the other, so they went back to the queue until the answers happened to agree.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAllowList } from "../guard/allow-list.ts";
import type { LearningResolver } from "../guard/resolver.ts";
import { startThreads } from "../send/testing/test-threads.ts";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { sqliteWorld } from "../wiring/testing/world.ts";

/** Told that a name leads where it does not lead the thread. */
function otherwise(): LearningResolver {
  let addresses: readonly string[] = ["127.0.0.9"];
  return {
    known: () => addresses,
    resolve: async () => [...addresses],
    learn: (_host, found) => void (addresses = found),
  };
}

test("a name that leads the gate to one address and a sender's thread to another gets its requests all the same", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  const { port } = new URL(receiver.url());
  await world.webhook(`http://localhost:${port}/`);
  const resolver = otherwise();
  const { sender } = startThreads(t, {
    ledElsewhere: (host, addresses) => resolver.learn(host, addresses),
  });
  const { dispatcher, seen } = await world.instance({
    sender,
    places: { resolver, allow: parseAllowList("") },
  });
  await dispatcher.accept(Array.from({ length: 5 }, () => world.purchase()));
  await receiver.arrived(5);
  await world.settledAs(seen, "delivered", 5);
  const outcomes = seen.of("attempt").map(({ outcome }) => outcome);
  assert.equal(outcomes.filter((outcome) => outcome === "ok").length, 5);
  assert.equal(outcomes[0], "address_unconfirmed", "the first was counted for another address");
});

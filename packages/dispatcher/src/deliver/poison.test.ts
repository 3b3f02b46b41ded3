import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Store } from "@markethook/store";
import type { Sender } from "../send/sender.ts";
import { testSender } from "../send/testing/test-sender.ts";
import { type Arrival, startReceiver } from "../wiring/testing/receiver.ts";
import type { Recorder } from "../wiring/testing/recorder.ts";
import { postgresWorld, sqliteWorld, type World } from "../wiring/testing/world.ts";

const WEBHOOKS = 6;
/** At full size (`npm run test:full`) 10,000 in all. */
const PER_WEBHOOK = process.env["MARKETHOOK_TEST_FULL"] === "1" ? 1667 : 50;
const POISONED = 1_000_013;
const MOST_CRASHES = 15;
/** Nobody waits for it: the test judges. */
const LEASE_MS = 60_000;

/** Once it has crashed nothing more comes out of it, and it hears of nothing. */
class Crash {
  happened = false;

  sender(inner: Sender): Sender {
    return {
      send: (...given) => inner.send(...given),
      start: (...given) => inner.start(...given),
      startSigned: (request, owner) => {
        const mayWrite = owner.mayWrite.bind(owner);
        owner.mayWrite = () => !this.happened && mayWrite();
        inner.startSigned(request, owner);
      },
      openSockets: () => inner.openSockets(),
      threads: () => inner.threads(),
      right: inner.right,
      close: () => inner.close(),
    };
  }

  store(inner: Store): Store {
    const { deliveries, instances } = inner;
    const unless = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.happened) throw new Error("it has crashed");
      return await work();
    };
    return {
      ...inner,
      deliveries: {
        ...deliveries,
        claim: (request) => unless(() => deliveries.claim(request)),
        claimProbes: (...given) => unless(() => deliveries.claimProbes(...given)),
        rescue: (...given) => unless(() => deliveries.rescue(...given)),
        markStarted: (...given) => unless(() => deliveries.markStarted(...given)),
        releaseForgotten: (...given) => unless(() => deliveries.releaseForgotten(...given)),
        settle: async (instanceNo, settlements, rule) =>
          this.happened
            ? { refused: settlements.map(({ seq }) => seq), changedWebhooks: [], failed: [] }
            : await deliveries.settle(instanceNo, settlements, rule),
      },
      // Its heart seems to beat, to itself.
      instances: {
        ...instances,
        renew: async (instanceNo, networkSuspected) =>
          this.happened || (await instances.renew(instanceNo, networkSuspected)),
        end: async (instanceNo) => (this.happened ? 0 : await instances.end(instanceNo)),
      },
    };
  }
}

/** All but the one that was set apart, anyone who sent them. */
async function allOthersEnded(world: World, seen: Recorder, poisonedId: string): Promise<void> {
  for (let batches = seen.of("settled").length; ; batches += 1) {
    const { pending, leased } = await world.store.maintenance.statistics();
    const [poisoned] = await world.deliveries(poisonedId);
    if (pending + leased === 1 && poisoned?.reason === "quarantined") return;
    await seen.seen("settled", batches + 1);
  }
}

async function findsPoison(t: TestContext, world: World): Promise<void> {
  let crash = new Crash();
  let crashed = Promise.withResolvers<void>();
  const poison = new Set<Arrival>();
  const others = new Set<string>();
  const receiver = await startReceiver(t, (arrival) => {
    const user = arrival.payload.user?.id;
    if (user !== POISONED) {
      others.add(`${arrival.path} ${user}`);
      return 200;
    }
    // Those left open are asked about again at each arrival.
    if (!poison.has(arrival)) {
      poison.add(arrival);
      crash.happened = true;
      crashed.resolve();
    }
    return null;
  });
  for (let i = 0; i < WEBHOOKS; i += 1) await world.webhook(receiver.url(`/${i}`));
  const { store, ownerId } = world;
  await store.resources.put([{ id: "poisoned", ownerId, title: "Poisoned", subtitle: "" }]);
  const poisoned = await world.webhook(receiver.url("/poisoned"), { resourceId: "poisoned" });
  const clean = Array.from({ length: PER_WEBHOOK }, (_, user) => world.purchase(user + 1));
  await store.events.accept([...clean, world.purchase(POISONED, "poisoned")], null);

  let crashes = 0;
  for (;;) {
    assert.ok(crashes <= MOST_CRASHES, `not found after ${crashes} crashes`);
    crash = new Crash();
    crashed = Promise.withResolvers<void>();
    const { seen } = await world.instance({
      settings: { leaseMs: LEASE_MS },
      store: crash.store(store),
      sender: crash.sender(testSender(t)),
    });
    await Promise.race([crashed.promise, allOthersEnded(world, seen, poisoned.id)]);
    if (!crash.happened) break;
    crashes += 1;
    // SQLite's next process takes over by itself. One whose row a claim under way holds is judged later.
    while (
      !store.exclusive &&
      (await store.deliveries.rescue(await store.instances.list())).instanceNos.length === 0
    )
      await pause(10);
  }
  t.diagnostic(`found after ${crashes} crashes`);
  const [delivery] = await world.deliveries(poisoned.id);
  assert.deepEqual([delivery?.state, delivery?.reason], ["pending", "quarantined"]);
  assert.ok(Number(delivery?.dueAt) > (await store.maintenance.now()) + 3_000_000);
  assert.equal(poison.size, crashes);
  assert.equal(others.size, WEBHOOKS * PER_WEBHOOK);
}

test("SQLite: what ends every process that sends it is found among all others, which arrive, and is not given up", async (t) => {
  await findsPoison(t, await sqliteWorld(t));
});

test("PostgreSQL: what ends every process that sends it is found among all others, which arrive, and is not given up", async (t) => {
  await findsPoison(t, await postgresWorld(t));
});

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Store } from "@markethook/store";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { postgresWorld, sqliteWorld, type World } from "../wiring/testing/world.ts";

const EVENTS = 150;
const BATCH = 10;
/** Of each kind of write, this one and its multiples are committed and reported as failed. */
const EVERY = 3;
const LATE_MS = 300;

type Work = (...given: never[]) => Promise<unknown>;

/** The commit succeeds, its answer is lost: an error comes late. The first ones get through, so that all is set up. */
function losing<Part extends object>(
  part: Part,
  names: readonly (keyof Part)[],
  lost: Map<string, number>,
): Part {
  const changed = Object.fromEntries(
    names.map((name) => {
      const work = part[name] as Work;
      let calls = 0;
      return [
        name,
        async (...given: never[]) => {
          const answer = await work(...given);
          calls += 1;
          if (calls % EVERY !== 0) return answer;
          lost.set(String(name), (lost.get(String(name)) ?? 0) + 1);
          await new Promise((resolve) => setTimeout(resolve, LATE_MS));
          throw new Error(`the answer of ${String(name)} was lost`);
        },
      ];
    }),
  );
  return { ...part, ...changed };
}

async function survivesLostAnswers(t: TestContext, world: World): Promise<void> {
  const tries = new Map<string, number>();
  // The first attempt of each fails, so that leases end and begin again while old outcomes are repeated.
  const receiver = await startReceiver(t, ({ webhookId }) => {
    const count = (tries.get(webhookId) ?? 0) + 1;
    tries.set(webhookId, count);
    return count === 1 ? 500 : 200;
  });
  await world.webhook(receiver.url());
  const lost = new Map<string, number>();
  const { store } = world;
  const faulty: Store = {
    ...store,
    events: losing(store.events, ["accept"], lost),
    deliveries: losing(store.deliveries, ["settle", "claim", "releaseForgotten"], lost),
    instances: losing(store.instances, ["renew"], lost),
  };
  const { dispatcher, seen } = await world.instance({
    store: faulty,
    settings: { leaseMs: 4000, schedule: Array.from({ length: 8 }, () => 50) },
  });
  let accepted = 0;
  for (let i = 0; i < EVENTS / BATCH; i += 1) {
    const items = Array.from({ length: BATCH }, () => world.purchase());
    // Its answer may be the one that is lost: the events are stored all the same.
    await dispatcher.accept(items).catch(() => undefined);
    accepted += BATCH;
  }
  await world.settledAs(seen, "delivered", accepted);
  // The answer of the last commit may be one of those that are lost.
  while (dispatcher.statistics().unsettled > 0)
    await new Promise((resolve) => setImmediate(resolve));
  t.diagnostic(
    `lost: ${[...lost].map(([name, count]) => `${count} of ${name}`).join(", ")}; ${receiver.arrivals.length} requests for ${accepted} deliveries`,
  );
  for (const name of ["accept", "settle", "claim"]) assert.ok((lost.get(name) ?? 0) > 0, name);
  assert.equal(receiver.arrivals.length, accepted * 2, "nothing was sent twice");
}

test("SQLite: whatever answers of committed writes are lost, everything is settled and nothing sent twice", async (t) => {
  await survivesLostAnswers(t, await sqliteWorld(t));
});

test("PostgreSQL: whatever answers of committed writes are lost, everything is settled and nothing sent twice", async (t) => {
  await survivesLostAnswers(t, await postgresWorld(t));
});

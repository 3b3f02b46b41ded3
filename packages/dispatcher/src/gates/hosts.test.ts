import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAllowList } from "../guard/allow-list.ts";
import { SILENT } from "../wiring/testing/recorder.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";
import { createHosts } from "./hosts.ts";
import { createInstanceCount } from "./instance-count.ts";

const EVERY_MS = 2000;
const VICTIM = sampleWebhook({ url: "https://victim.example.com/" });

test("an instance that could not count the others takes little of what an unproven host gets", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const clock = { now: 0 };
  let count = (): Promise<number> => Promise.resolve(2);
  const instances = createInstanceCount({
    count: () => count(),
    everyMs: EVERY_MS,
    now: () => clock.now,
    observer: SILENT,
  });
  const hosts = createHosts({
    store: { confirmed: async () => [], confirm: async () => {} },
    places: {
      resolver: { known: () => ["93.184.216.34"], resolve: async () => ["93.184.216.34"] },
      allow: parseAllowList(""),
    },
    perSecond: 20,
    instances,
    now: () => clock.now,
    wake: () => {},
    observer: SILENT,
  });
  const [gate] = hosts.gates;
  assert.ok(gate);
  /** How many of thirty go at once, long after the last ones. */
  const going = async (afterMs: number): Promise<number> => {
    t.mock.timers.tick(afterMs);
    await new Promise(setImmediate);
    clock.now += 1500;
    let gone = 0;
    for (let i = 0; i < 30; i += 1) {
      if (gate.wait(VICTIM, undefined as never, clock.now) !== null) break;
      gate.enter?.(VICTIM, undefined as never, clock.now);
      gone += 1;
    }
    return gone;
  };
  instances.start();
  assert.equal(await going(0), 1, "new: the others have not counted it");
  assert.equal(await going(EVERY_MS), 1, "one of them has perhaps not counted since");
  assert.equal(await going(EVERY_MS), 10, "half of it");
  // Asleep for longer than its lease, or cut off from the database: the others divide the limit without it.
  count = () => Promise.reject(new Error("no connection"));
  clock.now += EVERY_MS * 4;
  assert.equal(await going(EVERY_MS), 1);
  count = () => Promise.resolve(2);
  assert.equal(await going(EVERY_MS), 1);
  assert.equal(await going(EVERY_MS), 10);
  count = () => Promise.resolve(1);
  assert.equal(await going(EVERY_MS), 20, "alone");
  // Forty: together twenty in a second, so each one in two.
  count = () => Promise.resolve(40);
  await going(EVERY_MS);
  let gone = 0;
  for (let i = 0; i < 4; i += 1) gone += await going(EVERY_MS);
  assert.equal(gone, 2, "in six seconds");
  instances.stop();
});

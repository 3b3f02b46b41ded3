import assert from "node:assert/strict";
import { test } from "node:test";
import { eventId } from "@markethook/protocol";
import type { Store } from "../port/store.ts";
import { event } from "../conformance/reports.ts";
import { World } from "../conformance/world.ts";
import { testWorld } from "./open-harness.ts";

const OWNERS = 3;
const RESOURCES = 8;
const ROUNDS = 60;

/** Numbers that look random and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  };
}

test("reports, owners, deletions and imports at once never wait in a circle, and no owner gets another's sale", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  // A transaction that a deadlock ends is repeated, and none would be noticed. So they wait until statements time out.
  await harness.tamper(
    "do $$ begin execute format('alter database %I set deadlock_timeout = %L', current_database(), '60s'); end $$",
  );
  await harness.reopen();
  const another = await harness.openAnother?.();
  assert.ok(another !== undefined);
  const resource = (id: string, owner: number) =>
    ({ id, ownerId: `owner-${owner}`, title: "T", subtitle: "" }) as const;
  const known = Array.from({ length: RESOURCES }, (_, no) => `known-${no}`);
  await w.store.resources.put(known.map((id) => resource(id, 0)));
  for (const id of known) await w.webhook(id);

  const failures: unknown[] = [];
  const repeat = async (seed: number, call: (of: Calls, round: number) => Promise<unknown>) => {
    const below = numbers(seed);
    const one = (): string => known[below(RESOURCES)] ?? "";
    for (let round = 0; round < ROUNDS; round += 1) {
      const store = below(2) === 0 ? w.store : another;
      await call({ store, below, one }, round).catch((error: unknown) => failures.push(error));
    }
  };
  // A new resource in each round, which all of them bring.
  await Promise.all([
    ...[1, 2, 3].map((seed) =>
      repeat(seed, async ({ store, below, one }, round) => {
        const items = [1, 2, 3, 4].map(() => event(one(), "purchase", below(5)));
        const brought = { resource: resource(`new-${round}`, 0) };
        await store.events.accept([...items, event(`new-${round}`, "download", 1, brought)], null);
      }),
    ),
    ...[4, 5].map((seed) =>
      repeat(seed, async ({ store, below, one }, round) => {
        const ids = new Set([one(), one(), `new-${round}`]);
        await store.resources.put([...ids].map((id) => resource(id, below(OWNERS))));
      }),
    ),
    repeat(6, async ({ store, below, one }, round) => {
      const kind = "resource" as const;
      const records = [
        { kind: "firstDownload" as const, resourceId: one(), userId: below(5) },
        { kind, ...resource(one(), below(OWNERS)) },
        { kind, ...resource(`new-${round}`, below(OWNERS)) },
      ];
      await store.imports.run(records, { dryRun: false });
    }),
    repeat(7, async ({ store, one }, round) => {
      if (round % 10 === 0) await store.resources.delete(one());
      else await new World({ ...harness, store }).webhook(one());
    }),
  ]);
  const circles = failures.filter((error) => /timeout|deadlock/.test(String(error)));
  assert.deepEqual(circles, []);

  const events = new Map((await harness.rows("events")).map((row) => [row["seq"], row]));
  const webhooks = new Map((await harness.rows("webhooks")).map((row) => [row["no"], row]));
  const deliveries = [...(await w.places()).values()].map(({ row }) => row);
  assert.ok(deliveries.length > 0);
  for (const row of deliveries) {
    const { tag, seq } = events.get(row["event_seq"]) ?? {};
    const owner = String(webhooks.get(row["webhook_no"])?.["owner_id"]);
    const id = eventId({ seq: Number(seq), tag: String(tag) });
    assert.ok((await w.store.events.find(id, owner)) !== null, `${id} went to ${owner}`);
  }
});

interface Calls {
  store: Store;
  below(limit: number): number;
  one(): string;
}

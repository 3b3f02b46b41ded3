/** Anyone who gets the files after an erasure finds nothing of the person in them, whatever the tables say. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ErasurePosition } from "../port/erasure.ts";
import { budget, event } from "../conformance/reports.ts";
import { attempt, delivered, settled } from "../conformance/settlements.ts";
import { World } from "../conformance/world.ts";
import { openSqlite } from "./open.ts";
import { TEST_OPTIONS } from "./open-harness.ts";

const NAME = "Quirina Zwoelfender of Nowhere";
const USER = 7_410_852_963_741;
const ACTOR = { kind: "api_key", id: "key_1", name: "n", requestId: null } as const;

async function openWorld(t: { after(work: () => Promise<void>): void }) {
  const folder = mkdtempSync(join(tmpdir(), "markethook-erased-"));
  const store = await openSqlite({ ...TEST_OPTIONS, folder });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  // Of the harness these tests use the store alone.
  const w = new World({ store } as unknown as World["harness"]);
  const filesWith = (text: string): string[] =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
  return { w, filesWith };
}

async function erase(w: World): Promise<void> {
  const { erasure } = w.store.actingAs(ACTOR);
  let position: ErasurePosition | null = null;
  do position = (await erasure.step(USER, position)).next;
  while (position !== null);
  await erasure.finish(USER, { events: 0, deliveries: 0 });
}

for (const [what, times] of [
  ["short", 1],
  ["of several pages", 1000],
] as const) {
  test(`after an erasure no file of the database has the person's data, ${what}`, async (t) => {
    const { w, filesWith } = await openWorld(t);
    const instanceNo = await w.instanceNo();
    const shop = await w.shop(2);
    const others = Array.from({ length: 40 }, () => event(shop.id, "purchase", w.user()));
    const details = JSON.stringify({ buyerName: NAME.repeat(times) });
    const { preLeased } = await w.store.events.accept(
      [...others, event(shop.id, "purchase", USER, { details }), ...others.map(renewed)],
      budget(instanceNo),
    );
    await w.settle(
      instanceNo,
      preLeased.map((delivery) => {
        if (delivery.orderKey !== USER) return delivered(delivery);
        const detail = JSON.stringify({
          ...(JSON.parse(attempt(delivery).detail) as object),
          body: `thanks, ${NAME.repeat(times)}`,
        });
        return settled(delivery, { kind: "end", state: "delivered", reason: null }, { detail });
      }),
    );
    assert.ok(filesWith(NAME).length > 0, "it was there at all");
    await erase(w);
    assert.deepEqual(filesWith(NAME), []);
    assert.deepEqual(filesWith(`"user":{"id":${USER}}`), []);
  });
}

/** Another of its kind, with an id of its own. */
function renewed(item: ReturnType<typeof event>): ReturnType<typeof event> {
  return { ...item, tag: [...item.tag].reverse().join("") };
}

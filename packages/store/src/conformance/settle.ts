import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import type { DeliveryDetail } from "../port/delivery-log.ts";
import { delivered, event, offer, only, retried, settled, type World } from "./world.ts";

export function testSettle(world: () => World): void {
  test("a settlement names its lease: a foreign or ended life changes nothing", async () => {
    const w = world();
    const shop = await w.shop();
    const life = await w.life();
    const birth = await w.born(shop.id, life);
    const refused = await w.settle(life + 1000, [
      { ...delivered(birth), health: { kind: "disable", reason: "gone" } },
    ]);
    assert.deepEqual(refused, { refused: [birth.seq], changedWebhooks: [] });
    assert.equal((await w.places()).get(birth.seq)?.place, "live");
    assert.equal((await w.store.webhooks.get(shop.hooks[0]?.id ?? "", null)).state, "active");
    await w.store.instances.end(life);
    const late = await w.settle(life, [delivered(birth)]);
    assert.deepEqual(late.refused, [birth.seq]);
    assert.equal((await w.places()).get(birth.seq)?.place, "waiting");
  });

  test("of one batch, those no longer ours are refused one by one and the rest is written", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const { births } = await w.store.events.accept(
      [1, 2, 3].map(() => event(shop.id, "purchase", w.user())),
      offer(life),
    );
    const [first, second, third] = births;
    assert.ok(first && second && third);
    await w.deliver(life, [second]);
    const outcome = await w.settle(life, [delivered(third), delivered(second), delivered(first)]);
    assert.deepEqual(outcome.refused, [second.seq]);
    const places = await w.places();
    assert.deepEqual(
      births.map((birth) => places.get(birth.seq)?.place),
      ["done", "done", "done"],
    );
  });

  test("a retry is due after its delay by the database's clock, and only failures that count move the step", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    let delivery = await w.born(shop.id, life);
    const seen: number[][] = [];
    for (const [counts, throttled] of [
      [true, false],
      [false, true],
      [false, true],
      [true, false],
    ] as const) {
      const before = await w.store.maintenance.now();
      const next = { kind: "retry", delayMs: 1000.4, counts, throttled } as const;
      await w.settle(life, [settled(delivery, next, { outcome: "http_error", status: 503 })]);
      const row = (await w.places()).get(delivery.seq)?.row;
      const wait = Number(row?.["due_at"]) - before;
      assert.ok(Number.isInteger(wait) && wait >= 1000 && wait < 2000, `${wait}`);
      await w.harness.advance(1100);
      delivery = only(await w.claimAll(life));
      seen.push([delivery.attempts, delivery.step, delivery.throttled]);
    }
    assert.deepEqual(seen, [
      [1, 1, 0],
      [2, 1, 1],
      [3, 1, 2],
      [4, 2, 2],
    ]);
    await w.deliver(life, [delivery]);
    const detail = await find(w, delivery);
    assert.deepEqual(
      detail?.attemptRecords.map((one) => [one.number, one.outcome, one.status]),
      [
        [1, "http_error", 503],
        [2, "http_error", 503],
        [3, "http_error", 503],
        [4, "http_error", 503],
        [5, "ok", 200],
      ],
    );
    assert.deepEqual([detail?.state, detail?.attempts, detail?.lastStatus], ["delivered", 5, 200]);
  });

  test("the only attempt of a delivery is folded into its last row and read back the same", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const birth = await w.born(shop.id, life);
    await w.settle(life, [delivered(birth)]);
    const attempts = await w.harness.rows("attempts");
    assert.ok(!attempts.some((row) => row["delivery_seq"] === birth.seq));
    const detail = await find(w, birth);
    const record = only(detail?.attemptRecords ?? []);
    assert.deepEqual([record.number, record.outcome, record.status], [1, "ok", 200]);
    assert.equal(record.detail, delivered(birth).attempt?.detail);
  });

  test("a release is no attempt: due at once, with everything as it was", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const birth = await w.born(shop.id, life);
    await w.settle(life, [settled(birth, { kind: "release" }, null)]);
    assert.deepEqual(only(await w.claimAll(life)), birth);
    await w.deliver(life, [birth]);
  });

  test("a delivery that is cancelled between attempts still shows its last answer", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const birth = await w.born(shop.id, life);
    await w.settle(life, [retried(birth, 0)]);
    const again = only(await w.claimAll(life));
    const next = { kind: "end", state: "cancelled", reason: "webhook_deleted" } as const;
    await w.settle(life, [settled(again, next, null)]);
    const detail = await find(w, birth);
    assert.deepEqual(
      [detail?.state, detail?.reason, detail?.attempts, detail?.lastStatus, detail?.lastOutcome],
      ["cancelled", "webhook_deleted", 1, 500, "http_error"],
    );
  });

  test("a started mark is made only under the lease", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const birth = await w.born(shop.id, life);
    assert.equal(await w.store.deliveries.markStarted(life, birth.seq), true);
    assert.equal(await w.store.deliveries.markStarted(life + 1000, birth.seq), false);
    await w.deliver(life, [birth]);
    assert.equal(await w.store.deliveries.markStarted(life, birth.seq), false);
  });
}

async function find(
  w: World,
  delivery: { seq: number; tag: string },
): Promise<DeliveryDetail | null> {
  return await w.store.log.find(deliveryId(delivery), null);
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import type { Settlement } from "../port/deliveries.ts";
import type { DeliveryDetail } from "../port/delivery-log.ts";
import { only } from "./checks.ts";
import { mustBeLeasedAgain } from "./leases.ts";
import { delivered, RELEASE, retried, retry, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testSettle(w: World): void {
  test("a settlement names its lease: a foreign or ended instance changes nothing", async () => {
    const { instanceNo, shop, delivery } = await w.leasedOne();
    const refused = await w.settle(instanceNo + 1000, [
      { ...delivered(delivery), health: await w.gone(delivery.webhookNo) },
    ]);
    assert.deepEqual(refused, { refused: [delivery.seq], changedWebhooks: [], failed: [] });
    assert.equal((await w.places()).get(delivery.seq)?.place, "leased");
    assert.equal((await w.store.webhooks.get(shop.hook.id, null)).state, "active");
    await w.store.instances.end(instanceNo);
    const late = await w.settle(instanceNo, [delivered(delivery)]);
    assert.deepEqual(late.refused, [delivery.seq]);
    assert.equal((await w.places()).get(delivery.seq)?.place, "pending");
  });

  test("a URL that its owner left cannot disable the webhook; what else is changed does not matter", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { id, no } = shop.hook;
    const refuse = async (health: Settlement["health"]): Promise<string> => {
      const settlement = retried(await w.acceptOne(shop.id, instanceNo), 0);
      if (health !== undefined) settlement.health = health;
      await w.settle(instanceNo, [settlement]);
      return (await w.store.webhooks.get(id, null)).state;
    };
    const url = "https://elsewhere.example/hook";
    const old = await w.gone(no);
    await w.store.webhooks.change(id, null, { url });
    assert.equal(await refuse(old), "active");
    const now = await w.gone(no);
    await w.store.webhooks.change(id, null, { url, description: "New server" });
    assert.equal(await refuse(now), "disabled");
  });

  test("of one batch, those no longer ours are refused one by one and the rest is written", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const preLeased = await w.lease(instanceNo, w.purchases(shop.id, 3));
    const [first, second, third] = preLeased;
    assert.ok(first && second && third);
    await w.deliver(instanceNo, [second]);
    const outcome = await w.settle(instanceNo, [
      delivered(third),
      delivered(second),
      delivered(first),
    ]);
    assert.deepEqual(outcome.refused, [second.seq]);
    const places = await w.places();
    assert.deepEqual(
      preLeased.map((leasedOne) => places.get(leasedOne.seq)?.place),
      ["ended", "ended", "ended"],
    );
  });

  test("a retry is due after its delay by the database's clock, and only failures that count move the step", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    let delivery = await w.acceptOne(shop.id, instanceNo);
    const seen: number[][] = [];
    for (const [counts, throttled] of [
      [true, false],
      [false, true],
      [false, true],
      [true, false],
    ] as const) {
      const before = await w.store.maintenance.now();
      const next = retry(1000.4, { counts, throttled });
      await w.settle(instanceNo, [settled(delivery, next, { outcome: "http_error", status: 503 })]);
      const row = (await w.places()).get(delivery.seq)?.row;
      const wait = Number(row?.["due_at"]) - before;
      assert.ok(Number.isInteger(wait) && wait >= 1000 && wait < 2000, `${wait}`);
      await w.harness.advance(1100);
      delivery = only(await w.claimAll(instanceNo));
      seen.push([delivery.attempts, delivery.step, delivery.throttled]);
    }
    assert.deepEqual(seen, [
      [1, 1, 0],
      [2, 1, 1],
      [3, 1, 2],
      [4, 2, 2],
    ]);
    await w.deliver(instanceNo, [delivery]);
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
    const { instanceNo, delivery: leasedOne } = await w.leasedOne();
    await w.settle(instanceNo, [delivered(leasedOne)]);
    const attempts = await w.harness.rows("attempts");
    assert.ok(!attempts.some((row) => row["delivery_seq"] === leasedOne.seq));
    const detail = await find(w, leasedOne);
    const record = only(detail?.attemptRecords ?? []);
    assert.deepEqual([record.number, record.outcome, record.status], [1, "ok", 200]);
    assert.equal(record.detail, delivered(leasedOne).attempt?.detail);
  });

  test("a release is no attempt: due at once, with everything as it was", async () => {
    const { instanceNo, delivery } = await w.leasedOne();
    await w.settle(instanceNo, [settled(delivery, RELEASE, null)]);
    const again = only(await w.claimAll(instanceNo));
    mustBeLeasedAgain(again, delivery);
    await w.deliver(instanceNo, [again]);
  });

  test("a delivery that is cancelled between attempts still shows its last answer", async () => {
    const { instanceNo, delivery: leasedOne } = await w.leasedOne();
    await w.settle(instanceNo, [retried(leasedOne, 0)]);
    const again = only(await w.claimAll(instanceNo));
    const next = { kind: "end", state: "cancelled", reason: "webhook_deleted" } as const;
    await w.settle(instanceNo, [settled(again, next, null)]);
    const detail = await find(w, leasedOne);
    assert.deepEqual(
      [detail?.state, detail?.reason, detail?.attempts, detail?.lastStatus, detail?.lastOutcome],
      ["cancelled", "webhook_deleted", 1, 500, "http_error"],
    );
  });

  test("a repeated settlement does not fit a lease taken since, and leaves the rest of its batch alone", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const [first, other] = [
      await w.acceptOne(shop.id, instanceNo),
      await w.acceptOne(shop.id, instanceNo),
    ];
    // Stored, and its answer lost: the same instance takes the delivery again before it is repeated.
    await w.settle(instanceNo, [retried(first, 0)]);
    const again = only(await w.claimAll(instanceNo));
    assert.equal(again.seq, first.seq);
    assert.notEqual(again.lease, first.lease);
    const { refused, failed } = await w.settle(instanceNo, [retried(first, 0), delivered(other)]);
    assert.deepEqual([refused, failed], [[first.seq], []]);
    assert.equal((await find(w, other))?.state, "delivered");
    assert.deepEqual((await w.settle(instanceNo, [delivered(again)])).refused, []);
    const detail = await find(w, first);
    assert.deepEqual([detail?.state, detail?.attempts], ["delivered", 2]);
  });

  test("a repeated release does not take a lease away that was taken since", async () => {
    const { instanceNo, delivery } = await w.leasedOne();
    const release = settled(delivery, RELEASE, null);
    await w.settle(instanceNo, [release]);
    const again = only(await w.claimAll(instanceNo));
    assert.deepEqual((await w.settle(instanceNo, [release])).refused, [delivery.seq]);
    assert.deepEqual(await w.claimAll(instanceNo), [], "nobody else may have it");
    assert.deepEqual((await w.settle(instanceNo, [delivered(again)])).refused, []);
  });

  test("one that the database does not take fails alone; the rest of its batch is stored", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const preLeased = await Promise.all(
      Array.from({ length: 9 }, () => w.acceptOne(shop.id, instanceNo)),
    );
    const bad = preLeased[4];
    assert.ok(bad !== undefined);
    // The number of an attempt that it has had already.
    await w.settle(instanceNo, [retried(bad, 0)]);
    const again = only(await w.claimAll(instanceNo));
    const settlements = preLeased.map((one) => (one === bad ? retried(again, 0) : delivered(one)));
    const twice = settlements.find(({ seq }) => seq === bad.seq);
    assert.ok(twice?.attempt);
    twice.attempt.number = 1;
    const { refused, failed } = await w.settle(instanceNo, settlements);
    assert.deepEqual([refused, failed.map(({ seq }) => seq)], [[], [bad.seq]]);
    const states = await Promise.all(preLeased.map(async (one) => (await find(w, one))?.state));
    assert.equal(states.filter((state) => state === "delivered").length, 8);
    assert.deepEqual((await w.settle(instanceNo, [delivered(again)])).failed, []);
  });

  test("a started mark is made only under the lease", async () => {
    const { instanceNo, delivery: leasedOne } = await w.leasedOne();
    const { markStarted } = w.store.deliveries;
    assert.deepEqual(await markStarted(instanceNo, [leasedOne]), [leasedOne.seq]);
    assert.deepEqual(await markStarted(instanceNo + 1000, [leasedOne]), []);
    assert.deepEqual(
      await markStarted(instanceNo, [{ ...leasedOne, lease: leasedOne.lease + 1 }]),
      [],
    );
    await w.deliver(instanceNo, [leasedOne]);
    assert.deepEqual(await markStarted(instanceNo, [leasedOne]), []);
  });
}

async function find(
  w: World,
  delivery: { seq: number; tag: string },
): Promise<DeliveryDetail | null> {
  return await w.store.log.find(deliveryId(delivery), null);
}

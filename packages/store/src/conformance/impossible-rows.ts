import assert from "node:assert/strict";
import { test } from "node:test";
import { isAboutRows } from "../row-faults.ts";
import type { QueuedDelivery } from "../port/deliveries.ts";
import type { FaultHint } from "../port/store.ts";
import { only } from "./checks.ts";
import { beatOf, LEASE_MS } from "./leases.ts";
import { each, newest } from "./lists.ts";
import { event } from "./reports.ts";
import { claim, FAILED, MINUTE, retry, RULE, settled } from "./settlements.ts";
import type { World } from "./world.ts";

/** One row that cannot be: written by a newer version, damaged, or changed by hand. All others go on. */
export function testImpossibleRows(w: World): void {
  for (const [what, change] of [
    ["has an event name that only a newer version knows", "kind = 30"],
    ["has an unknown origin", "origin = 9"],
    ["has no event", "event_seq = event_seq + 1000000"],
  ] as const) {
    test(`a delivery that ${what} is told of and put back, and all others are claimed`, async () => {
      const told = faults(w);
      const [bad, good] = [await w.shop(), await w.shop()];
      await w.accept([event(bad.id, "purchase", 1), event(good.id, "purchase", 1)]);
      const no = bad.hook.no;
      const before = only(await w.rowsOf("pending", no));
      await w.harness.tamper(`update pending set ${change} where webhook_no = ${no}`);
      const instanceNo = await w.instanceNo();

      const claimed = await w.claimAll(instanceNo);
      assert.deepEqual(each(claimed, "webhookNo"), [good.hook.no]);
      await w.deliver(instanceNo, claimed);
      const { where, error } = only(told);
      assert.equal(where, "read deliveries");
      assert.match(
        String(error),
        new RegExp(`delivery ${String(before["seq"])} of webhook ${no}\\b`),
      );

      // As after an upgrade that knows it.
      await w.harness.tamper(
        `update pending set kind = ${Number(before["kind"])}, origin = 0, event_seq = ${Number(before["event_seq"])} where webhook_no = ${no}`,
      );
      assert.deepEqual(await w.claimAll(instanceNo), [], "it waits for a minute");
      await w.harness.advance(MINUTE + 1);
      const again = await w.claimAll(instanceNo);
      assert.equal(only(again).seq, before["seq"]);
      await w.deliver(instanceNo, again);
    });
  }

  test("a disabled webhook whose oldest delivery cannot be read keeps no other from its probe", async () => {
    const told = faults(w);
    const shops = [await w.shop(), await w.shop()];
    const instanceNo = await w.instanceNo();
    await w.accept(shops.flatMap(({ id }) => [event(id, "purchase", 1), event(id, "purchase", 2)]));
    const rule = { ...RULE, afterMs: 0, attempts: 1, events: 1 };
    const failures = (await w.claimAll(instanceNo)).map((one) =>
      settled(
        one,
        retry(1),
        {},
        {
          kind: "failed",
          badRequest: false,
        },
      ),
    );
    await w.store.deliveries.settle(instanceNo, failures, rule);
    const [bad, good] = shops.map(({ hooks }) => hooks[0]?.no);
    await w.harness.tamper(`update pending set kind = 30 where webhook_no = ${bad}`);
    await w.harness.advance(RULE.probeAfterMs + 1);
    const probes = await w.probes(instanceNo);
    assert.equal(only(probes).webhookNo, good);
    assert.equal(only(told).where, "read deliveries");
    await w.deliver(instanceNo, probes);
    await w.harness.tamper(`update pending set kind = 0 where webhook_no = ${bad}`);
  });

  test("a leased delivery that also waits, and one whose attempt is stored already, hold up no rescue", async () => {
    const shop = await w.shop();
    const dead = await w.instanceNo("dead");
    const held: QueuedDelivery[] = [];
    for (let i = 0; i < 3; i += 1) held.push(await w.acceptOne(shop.id, dead));
    const [twice, tried, other] = held;
    await w.store.deliveries.markStarted(dead, held);
    await w.harness.tamper(
      `insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, created_at)
       select seq, event_seq, webhook_no, kind, order_key, created_at, created_at from leased where seq = ${twice?.seq}`,
    );
    await w.harness.tamper(
      `insert into attempts (delivery_seq, number, outcome, detail) values (${tried?.seq}, 1, 'ok', '{}')`,
    );
    await w.harness.advance(LEASE_MS + 1);
    await w.store.deliveries.rescue([await beatOf(w.store, dead)]);
    const next = await w.instanceNo("next");
    const again = await w.claimAll(next);
    assert.deepEqual(
      again.map(({ seq }) => seq).sort((a, b) => a - b),
      [twice?.seq, tried?.seq, other?.seq],
    );
    await w.harness.tamper(`delete from attempts where delivery_seq = ${tried?.seq}`);
    await w.deliver(next, again);
  });

  test("a waiting delivery that is leased as well is told of, and all others are claimed", async () => {
    const told = faults(w);
    const [bad, good] = [await w.shop(), await w.shop()];
    const instanceNo = await w.instanceNo();
    const twice = await w.acceptOne(bad.id, instanceNo);
    await w.accept(w.purchases(good.id));
    await w.harness.tamper(
      `insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, created_at)
       select seq, event_seq, webhook_no, kind, order_key, created_at, created_at from leased where seq = ${twice.seq}`,
    );
    const claimed = await w.claimAll(instanceNo);
    assert.deepEqual(each(claimed, "webhookNo"), [good.hook.no]);
    assert.match(String(only(told).error), new RegExp(`delivery ${twice.seq}\\b`));
    assert.deepEqual(await w.claimAll(instanceNo), [], "it waits for a minute");
    assert.equal(told.length, 1);
    await w.harness.tamper(`delete from pending where seq = ${twice.seq}`);
    await w.deliver(instanceNo, [twice, ...claimed]);
  });

  test("a probe whose delivery is leased as well keeps no other webhook from its probe", async () => {
    const shops = [await w.shop(), await w.shop()];
    const instanceNo = await w.instanceNo();
    const held = [];
    for (const { id } of shops) held.push(await w.acceptOne(id, instanceNo));
    const rule = { ...RULE, afterMs: 0, attempts: 1, events: 1 };
    const failed = held.map((one) => settled(one, retry(1), {}, FAILED));
    await w.store.deliveries.settle(instanceNo, failed, rule);
    await w.harness.tamper(
      `insert into leased (seq, event_seq, webhook_no, kind, order_key, instance_no, created_at)
       select seq, event_seq, webhook_no, kind, order_key, ${instanceNo}, created_at from pending where seq = ${held[0]?.seq}`,
    );
    await w.harness.advance(RULE.probeAfterMs + 1);
    const probes = await w.probes(instanceNo);
    assert.equal(only(probes).seq, held[1]?.seq);
    await w.harness.tamper(`delete from leased where seq = ${held[0]?.seq}`);
    await w.deliver(instanceNo, probes);
  });

  test("a waiting delivery that has ended already holds up no cancelling", async () => {
    const shops = [await w.shop(), await w.shop()];
    for (const shop of shops) await w.accept(w.purchases(shop.id));
    const [ended, other] = shops.map(({ hooks }) => hooks[0]);
    await w.harness.tamper(
      `insert into ended (seq, event_seq, webhook_no, kind, state, attempts, origin, created_at, ended_at)
       select seq, event_seq, webhook_no, kind, 0, 1, 0, created_at, created_at from pending where webhook_no = ${ended?.no}`,
    );
    for (const hook of [ended, other]) await w.store.webhooks.delete(hook?.id ?? "", null);
    for (let round = 0; round < 3; round += 1) await w.store.deliveries.cancelMarked(100);
    const left = [...(await w.places()).values()].filter(({ place }) => place === "pending");
    assert.deepEqual(left, []);
  });

  test("an event of a resource whose row cannot be read is refused with nothing stored, and a fault that names it", async () => {
    const [bad, good] = [await w.shop(), await w.shop()];
    await w.harness.tamper(`update resources set file_version = '{' where id = '${bad.id}'`);
    const events = [event(good.id, "purchase", w.user()), event(bad.id, "purchase", w.user())];
    const before = (await w.harness.rows("events")).length;
    await assert.rejects(w.store.events.accept(events, null), (error: unknown) => {
      assert.ok(isAboutRows(error), String(error));
      return String(error).includes(bad.id);
    });
    assert.equal((await w.harness.rows("events")).length, before);
    await w.accept(w.purchases(good.id));
  });

  test("lists leave out an event that only a newer version knows, and show all others", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    for (let i = 0; i < 3; i += 1) await w.accept(w.purchases(shop.id));
    const { deliveries } = await w.store.deliveries.claim(claim(instanceNo));
    await w.deliver(instanceNo, deliveries);
    const { eventSeq } = deliveries[1] ?? { eventSeq: 0 };
    await w.harness.tamper(`update ended set kind = 30 where event_seq = ${eventSeq}`);
    await w.harness.tamper(`update events set kind = 30 where seq = ${eventSeq}`);
    const { log, events } = w.store;
    const filter = { ownerId: shop.ownerId };
    const page = newest(10);
    assert.equal((await log.list(filter, page)).items.length, 2);
    assert.equal((await events.list(filter, page)).items.length, 2);
    assert.equal((await log.summaries(deliveries.map(({ seq }) => seq))).length, 2);
  });

  test("a notice whose details are damaged is listed with their text, and the later ones are too", async () => {
    const shop = await w.shop();
    const id = shop.hook.id;
    for (const url of ["https://one.example", "https://two.example"])
      await w.store.webhooks.change(id, null, { url });
    const before = await w.store.notices.list(0, 10, shop.ownerId);
    for (const damage of ["{", "[]", "5"]) {
      await w.harness.tamper(`update notices set detail = '${damage}' where no = ${before[0]?.no}`);
      const after = await w.store.notices.list(0, 10, shop.ownerId);
      assert.deepEqual(after[0]?.detail, { unreadable: damage });
      assert.deepEqual(after.slice(1), before.slice(1));
    }
  });

  test("a webhook that cannot be decrypted is no hindrance to its neighbours, and a new address and secret repair it", async () => {
    const shop = await w.shop(2);
    const [bad, good] = shop.hooks;
    await w.harness.tamper(
      `update webhooks set url = 's1.none.AAAA', secret = 's1.none.AAAA' where no = ${bad?.no}`,
    );
    const { webhooks } = w.store;
    const url = "https://receiver.example/hook";
    const asked = { ownerId: shop.ownerId, resourceId: shop.id, url };
    assert.equal(await webhooks.hasUrl(asked), true, "the other one has it");
    assert.equal(await webhooks.hasUrl({ ...asked, exceptId: good?.id ?? "" }), false);
    await assert.rejects(webhooks.forSending([bad?.no ?? 0]), {
      message: new RegExp(bad?.id ?? ""),
    });
    await webhooks.change(bad?.id ?? "", null, { url: "https://new.example/hook" });
    await webhooks.rotate(bad?.id ?? "", null, { mode: "switch_now", secret: "a".repeat(48) });
    const again = only(await webhooks.forSending([bad?.no ?? 0]));
    assert.deepEqual(
      [again.url, again.secrets.current],
      ["https://new.example/hook", "a".repeat(48)],
    );
  });
}

/** The faults that the store tells of from now on. */
function faults(w: World): FaultHint[] {
  const told: FaultHint[] = [];
  w.store.onHint((hint) => {
    if (hint.kind === "fault") told.push(hint);
  });
  return told;
}

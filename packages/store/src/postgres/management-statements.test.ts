import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { Client } from "pg";
import type { Harness } from "../conformance/harness.ts";
import { allOf, budget, event, keyed } from "../conformance/reports.ts";
import { World } from "../conformance/world.ts";
import { kindOf } from "../hot/kinds.ts";
import type { QueuedDelivery } from "../port/deliveries.ts";
import type { ImportRecord } from "../port/imports.ts";
import { hourOf } from "../port/attempt-counts.ts";
import type { ErasurePosition } from "../port/erasure.ts";
import { openPostgresHarness } from "./open-harness.ts";

const RETENTION_MS = 30 * 24 * 3_600_000;

let harness: Harness;
let w: World;
before(async () => {
  harness = await openPostgresHarness();
  w = new World(harness);
});
after(async () => await harness.close());

/** Counts the statements that name this table. */
async function statements(table: string, work: () => Promise<unknown>): Promise<number> {
  return (await textsOf(work)).filter((text) => text.includes(table)).length;
}

/** The statements of this work, as JSON. */
async function textsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = mock.method(Client.prototype, "query");
  await work();
  query.mock.restore();
  return query.mock.calls.map((call) => JSON.stringify(call.arguments[0]));
}

test("a change of owner takes as many statements for many resources as for one", async () => {
  const change = async (count: number): Promise<number[]> => {
    const ownerId = w.name("owner");
    const sold: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const { id } = await w.resource(ownerId);
      await w.webhook(id);
      sold.push(id);
    }
    const tables = ["resources", "webhooks", "past_owners", "portal_sessions", "notices"];
    const counts: number[] = [];
    for (const table of tables) {
      const again = sold.map((id) => ({ id, ownerId: w.name("heir"), title: "T", subtitle: "" }));
      counts.push(await statements(table, async () => await w.store.resources.put(again)));
    }
    return counts;
  };
  assert.deepEqual(await change(30), await change(1));
});

test("an import that changes many webhooks takes as many statements as one that changes one", async () => {
  const change = async (count: number): Promise<number[]> => {
    const { id } = await w.shop(0);
    const records = (secret: string): ImportRecord[] =>
      Array.from({ length: count }, (_, index) => ({
        kind: "webhook",
        newId: w.name("wh"),
        resourceId: id,
        importId: String(index),
        url: `https://old.example/${index}/${secret}`,
        events: null,
        secret,
        state: "active",
      }));
    const counts: number[] = [];
    for (const table of ["webhooks", "notices"]) {
      await w.store.imports.run(records("one"), { dryRun: false });
      counts.push(
        await statements(table, async () => {
          const results = await w.store.imports.run(records("two"), { dryRun: false });
          assert.ok(results.every(({ kind }) => kind === "updated"));
        }),
      );
    }
    return counts;
  };
  assert.deepEqual(await change(30), await change(1));
});

test("erasing changes many keys in one statement", async () => {
  const { id } = await w.shop(0);
  const user = w.user();
  await w.accept(
    Array.from({ length: 30 }, () => event(id, "purchase", user, keyed(w.name("order")))),
  );
  const { erasure } = w.store.actingAs({ kind: "api_key", id: "k", name: "K", requestId: null });
  const updates = await statements('update \\"idempotency_keys\\"', async () => {
    let position: ErasurePosition | null = null;
    do ({ next: position } = await erasure.step(user, position));
    while (position !== null);
  });
  assert.equal(updates, 1);
});

test("what many webhooks gave up in an hour takes as many statements to tell as what one gave up", async () => {
  const tell = async (webhooks: number): Promise<number[]> => {
    const counts: number[] = [];
    for (const table of ["given_up", "webhooks", "notices"]) {
      const { hooks } = await w.shop(webhooks);
      const earlier = hourOf(await w.store.maintenance.now()) - 2;
      await harness.tamper(
        `insert into given_up (webhook_no, hour, count, first_seq, last_seq)
           select no, ${earlier}, 1, 1, 1 from unnest(array[${hooks.map(({ no }) => no).join()}]) as no`,
      );
      const told = async () => {
        assert.equal(await w.store.maintenance.tellGivenUp(RETENTION_MS, 100), webhooks);
      };
      counts.push(await statements(table, told));
    }
    return counts;
  };
  assert.deepEqual(await tell(20), await tell(1));
});

test("an explanation of what waits at many webhooks takes as many statements as at one", async () => {
  const explain = async (webhooks: number): Promise<number> => {
    const { id } = await w.shop(webhooks);
    const user = w.user();
    const instanceNo = await w.instanceNo();
    await w.accept([event(id, "purchase", user)], budget(instanceNo));
    const [eventId = ""] = await w.accept([event(id, "removed", user)]);
    return await statements("pending", async () => {
      const found = await w.store.events.explain(eventId, null);
      const behind = found?.webhooks.filter((line) => line.behindDeliveryId !== null);
      assert.equal(behind?.length, webhooks);
    });
  };
  assert.equal(await explain(20), await explain(1));
});

test("rows are looked at for a clock that was set back at the first call, and after it was", async () => {
  const follow = async (): Promise<boolean> =>
    (await statements("pending", async () => await w.store.maintenance.followClock(10))) > 0;
  assert.deepEqual([await follow(), await follow()], [true, false]);
  await w.harness.advance(-60_000);
  assert.deepEqual([await follow(), await follow()], [true, false]);
  await w.harness.advance(60_000);
  assert.equal(await follow(), false);
});

test("the bounds of a range of times take two statements, however many events there are", async () => {
  const { id } = await w.shop(0);
  const list = async (): Promise<number> =>
    await statements("accepted_at", async () => {
      const filter = { ownerId: null, from: Date.now() - 3_600_000, to: Date.now() };
      await w.store.log.list(filter, { beforeSeq: null, limit: 10 });
    });
  assert.equal(await list(), 2);
  await w.accept(Array.from({ length: 500 }, () => event(id, "purchase", w.user())));
  assert.equal(await list(), 2);
});

test("what became of later events is read once for several pages of missing ones", async () => {
  const shop = await w.shop();
  const instanceNo = await w.instanceNo();
  const early = await w.acceptOne(shop.id, instanceNo);
  await w.deliver(instanceNo, [early]);
  const [first, count] = [early.eventSeq + 1, 12_000];
  await harness.tamper(
    `insert into events (seq, tag, resource_id, kind, time, user_id, payload, accepted_at, touched_at)
       select n, 'tagtagtagt', '${shop.id}',
         case when n % 1000 = 0 then ${kindOf("product.user.firstDownload")} else ${kindOf("product.user.purchase")} end,
         1, n, '{}', mh_now(), mh_now()
       from generate_series(${first}, ${first + count - 1}) as n;
     select setval('mh_numbers', ${first + count})`,
  );
  await w.deliver(instanceNo, [await w.acceptOne(shop.id, instanceNo)]);
  const filter = { ...allOf(shop.hook.id), confirmed: false };
  const counting = await textsOf(async () => {
    assert.deepEqual(await w.store.log.countMissing(filter), {
      count,
      outOfOrder: 0,
      capped: false,
    });
  });
  assert.equal(counting.filter(readsLater).length, 1);
  const sending = await textsOf(async () => {
    const rare = { ...filter, events: ["product.user.firstDownload" as const] };
    assert.deepEqual(await w.store.log.missingStep(rare, 0, 500), { sent: 12, nextSeq: null });
  });
  const begin = sending.findIndex((text) => text.includes("begin isolation level"));
  assert.equal(sending.slice(0, begin).filter(readsLater).length, 1);
});

test("what became of later events is read before the transaction that sends an old one again", async () => {
  const shop = await w.shop();
  const instanceNo = await w.instanceNo();
  const made: QueuedDelivery[] = [];
  // Far apart, so that each is read by a statement of its own.
  for (let times = 0; times < 3; times += 1) {
    const one = await w.acceptOne(shop.id, instanceNo);
    await w.deliver(instanceNo, [one]);
    await harness.tamper(
      `update events set accepted_at = accepted_at - 3600000;
       select setval('mh_numbers', ${one.eventSeq} + 100000000)`,
    );
    made.push(one);
  }
  await w.deliver(instanceNo, [await w.acceptOne(shop.id, instanceNo)]);
  const [oldest] = made;
  assert.ok(oldest);
  const texts = await textsOf(() => w.store.log.redeliver(deliveryId(oldest), null, false));
  const begin = texts.findIndex((text) => text.includes("begin isolation level"));
  assert.deepEqual(
    [texts.slice(0, begin), texts.slice(begin)].map((some) => some.filter(readsLater).length),
    [3, 1],
  );
});

function readsLater(statement: string): boolean {
  return /max.*from ..ended.. as ..d..* group by/.test(statement);
}

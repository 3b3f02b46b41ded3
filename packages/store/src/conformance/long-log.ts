import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { deliveryNumber } from "../hot/numbers.ts";
import type { DeliveryFilter, DeliverySummary } from "../port/delivery-log.ts";
import type { StoredEventSummary } from "../port/events.ts";
import { each, itemsOf, newest, numbersTo } from "./lists.ts";
import { event } from "./reports.ts";
import type { World } from "./world.ts";

/** More than one statement could name of the buckets between. */
const JUMP = 600_000_000;
/** Buckets of 16,384 numbers with a row each: more than a statement may have parameters on either database. */
const BUCKETS = 70_000;
const PER_BUCKET = 16_384;

/** What holds in a log of hundreds of millions of events. Each test leaves the numbers far above where it found them. */
export function testLongLog(w: World): void {
  test("lists, replay and the live look work across a jump of 600 million numbers", async () => {
    const shop = await w.shop(2);
    const hook = shop.hooks[0];
    assert.ok(hook);
    let instanceNo = await w.instanceNo();
    const user = w.user();
    const early = await sent(w, instanceNo, shop.id, [user, w.user()]);
    await w.accept(w.purchases(shop.id));
    await jump(w);
    instanceNo = await w.instanceNo();
    await w.drain(instanceNo);
    const late = await sent(w, instanceNo, shop.id, [w.user(), w.user()]);
    assert.ok((late[0]?.seq ?? 0) - (early[0]?.seq ?? 0) > deliveryNumber(JUMP) / 2);

    const filters: [DeliveryFilter, number][] = [
      [{ ownerId: shop.ownerId }, 10],
      [{ ownerId: null, webhookId: hook.id }, 5],
      [{ ownerId: shop.ownerId, state: "delivered" }, 10],
      [{ ownerId: shop.ownerId, userId: user }, 2],
    ];
    for (const [filter, count] of filters) {
      for (const limit of [3, 100]) {
        const found = await deliveries(w, filter, limit);
        assert.equal(found.length, count, JSON.stringify(filter));
        assert.equal(new Set(found.map(({ seq }) => seq)).size, count);
      }
    }
    assert.equal((await events(w, shop.ownerId, 2)).length, 5);

    const watched = await w.store.log.watch([hook.no], 10);
    const newest = late.filter(({ webhookNo }) => webhookNo === hook.no).map(({ seq }) => seq);
    assert.deepEqual(
      newest.filter((seq) => !watched.deliveries.some((one) => one.seq === seq)),
      [],
    );

    const now = await w.store.maintenance.now();
    const replay = {
      webhookId: hook.id,
      ownerId: shop.ownerId,
      from: now - 3_600_000,
      to: now + 1,
      states: ["delivered" as const],
    };
    assert.deepEqual(await w.store.log.countReplay(replay), { count: 5, capped: false });
    const first = await w.store.log.replayStep(replay, 0, 4);
    assert.equal(first.sent, 4);
    assert.deepEqual(await w.store.log.replayStep(replay, first.nextSeq ?? 0, 4), {
      sent: 1,
      nextSeq: null,
    });
  });

  test("an old and rare delivery is found page by page below rows in 70,000 buckets", async () => {
    const [rare, busy] = [await w.shop(), await w.shop()];
    const hook = busy.hooks[0];
    assert.ok(hook);
    const instanceNo = await w.instanceNo();
    const [first] = await sent(w, instanceNo, rare.id, [w.user()]);
    assert.ok(first);
    const from = first.eventSeq + 2 * PER_BUCKET;
    await fill(w, { resourceId: busy.id, webhookNo: hook.no, from });
    await jump(w, from + BUCKETS * PER_BUCKET);
    const [last] = await sent(w, await w.instanceNo(), rare.id, [w.user()]);
    assert.ok(last);

    const page = await w.store.log.list(
      { ownerId: rare.ownerId },
      { beforeSeq: null, limit: 10, examined: 100 },
    );
    assert.deepEqual(each(page.items, "seq"), [last.seq]);
    assert.ok(page.nextSeq !== null && page.nextSeq > first.seq, "it did not look at everything");
    for (const filter of [{}, { state: "delivered" as const }]) {
      const found = await deliveries(w, { ownerId: rare.ownerId, ...filter }, 10);
      assert.deepEqual(each(found, "seq"), [last.seq, first.seq]);
    }
    assert.equal((await events(w, rare.ownerId, 10)).length, 2);

    const [rarely] = rare.hooks;
    assert.ok(rarely);
    const to = (await w.store.maintenance.now()) + 1;
    const replay = (state: "delivered" | "dead", after: number) => {
      const filter = { webhookId: rarely.id, ownerId: rare.ownerId, from: 0, to, states: [state] };
      return w.store.log.replayStep(filter, after, 10);
    };
    const none = await replay("dead", 0);
    assert.equal(none.sent, 0);
    const one = await replay("delivered", 0);
    assert.equal(one.sent, 1);
    const next = await replay("delivered", one.nextSeq ?? 0);
    assert.equal(next.sent, 0);
    assert.ok((next.nextSeq ?? 0) > (one.nextSeq ?? 0), "a step looks at a bounded part");
    assert.deepEqual(await replay("delivered", last.seq - 1), { sent: 1, nextSeq: null });
    const replays = (await w.harness.rows("audit")).filter(
      (row) => row["action"] === "webhook.replay" && row["subject_id"] === rarely.id,
    );
    assert.equal(replays.length, 2, "one for each that began");

    // Far too many webhooks to look each up: everyone's rows are read, 20,000 at a time.
    const count = 3000;
    await w.harness.tamper(
      `insert into webhooks (no, id, resource_id, owner_id, url, shown_url, host, format, description, state, secret,
           secret_is_text, created_at, updated_at, deleted_at)
         ${numbersTo(w.store, count)} select 1000000 + i, 'wh_many_' || i, '${rare.id}', '${rare.ownerId}', '', '', '', 'json', '',
           'active', '', 0, 1, 1, 1 from n`,
    );
    // The looks take as long on any machine.
    let now = performance.now();
    const clock = mock.method(performance, "now", () => (now += 60));
    try {
      const older = { beforeSeq: last.seq, limit: 10 };
      const { items } = await w.store.log.list({ ownerId: rare.ownerId }, older);
      assert.deepEqual(
        each(items, "seq"),
        [first.seq],
        "a page goes on until it has found something, although each look is slow",
      );
    } finally {
      clock.mock.restore();
    }
    await w.harness.tamper("delete from webhooks where id like 'wh_many_%'");
    assert.equal((await w.store.log.list({ ownerId: busy.ownerId }, PAGE)).items.length, 100);
    assert.equal((await w.store.events.list({ ownerId: busy.ownerId }, PAGE)).items.length, 100);
  });
}

const PAGE = newest(100);

/** Stores and delivers a purchase of each buyer. */
async function sent(w: World, instanceNo: number, resourceId: string, users: readonly number[]) {
  const items = users.map((user) => event(resourceId, "purchase", user));
  const preLeased = await w.lease(instanceNo, items);
  await w.deliver(instanceNo, preLeased);
  return preLeased;
}

/** Opens the store again, to give numbers from here on. */
async function jump(w: World, to?: number): Promise<void> {
  const [last] = (await w.harness.rows("events")).map(({ seq }) => Number(seq)).slice(-1);
  const next = to ?? (last ?? 0) + JUMP;
  await w.harness.tamper(
    w.store.kind === "sqlite"
      ? `update counters set value = ${next} where name = 'number'`
      : `select setval('mh_numbers', ${next})`,
  );
  await w.harness.reopen();
}

/** One event and its ended delivery in each of many buckets. */
async function fill(
  w: World,
  { resourceId, webhookNo, from }: { resourceId: string; webhookNo: number; from: number },
): Promise<void> {
  const numbers =
    w.store.kind === "sqlite"
      ? `with recursive n (seq) as (select ${from} union all select seq + ${PER_BUCKET} from n
           where seq < ${from + (BUCKETS - 1) * PER_BUCKET})`
      : `with n (seq) as (select ${from} + i * ${PER_BUCKET}::bigint from generate_series(0, ${BUCKETS - 1}) as i)`;
  const now = await w.store.maintenance.now();
  await w.harness.tamper(
    `insert into events (seq, tag, resource_id, kind, time, user_id, payload, accepted_at, touched_at)
       ${numbers} select seq, 'tagtagtagt', '${resourceId}', 1, 1, seq, '{}', ${now}, ${now} from n`,
  );
  await w.harness.tamper(
    `insert into ended (seq, event_seq, webhook_no, kind, order_key, state, attempts, origin, created_at, ended_at)
       ${numbers} select seq * 128, seq, ${webhookNo}, 1, seq, 0, 1, 0, ${now}, ${now} from n`,
  );
}

async function deliveries(
  w: World,
  filter: DeliveryFilter,
  limit: number,
): Promise<DeliverySummary[]> {
  return await itemsOf((beforeSeq) => w.store.log.list(filter, { beforeSeq, limit }));
}

async function events(w: World, ownerId: string, limit: number): Promise<StoredEventSummary[]> {
  return await itemsOf((beforeSeq) => w.store.events.list({ ownerId }, { beforeSeq, limit }));
}

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withCode } from "../conformance/checks.ts";
import { event, keyed } from "../conformance/reports.ts";
import { claim } from "../conformance/settlements.ts";
import { World } from "../conformance/world.ts";
import type { QueuedDelivery } from "../port/deliveries.ts";
import type { Store } from "../port/store.ts";
import { openPostgres } from "../postgres/open.ts";
import { openSqlite } from "../sqlite/open.ts";
import { rotateSqliteMasterKey } from "../sqlite/rotate-master-key.ts";
import { TEST_OPTIONS } from "../sqlite/open-harness.ts";
import { everything, fill, pairTest } from "../testing/move-pair.ts";
import type { Filled } from "../testing/fill-every-table.ts";
import { moveToPostgres } from "./move-to-postgres.ts";
import { tableColumns } from "../expected-shape.ts";

const PAGE = { beforeSeq: null, limit: 100 };

pairTest("a move brings every row of every table, and each table has some", async (pair) => {
  await fill(pair.folder);
  assert.ok(pair.sqlite("select * from new_keys").length > 0);
  assert.ok(pair.sqlite("select * from idempotency_keys").length > 0);
  const { moved, rows } = await moveToPostgres(pair.options);
  const { sqlite, postgres } = await everything(pair);
  for (const [name, expected] of Object.entries(sqlite)) {
    assert.ok(expected.length > 0, `${name} has no row: fill-every-table.ts must make one`);
    assert.deepEqual(postgres[name], expected, name);
  }
  assert.equal(moved, true);
  assert.deepEqual(
    rows,
    Object.fromEntries(Object.entries(sqlite).map(([name, all]) => [name, all.length])),
  );
  const analyzed = await pair.postgres(
    "select tablename from pg_stats where schemaname = 'public' group by 1",
  );
  assert.ok(
    analyzed.length >= Object.keys(sqlite).length - 1,
    `${analyzed.length} have statistics`,
  );
});

pairTest(
  "no table and no column of either database is left out",
  async ({ folder, options, sqlite, postgres }) => {
    await fill(folder);
    await moveToPostgres(options);
    const names = [...tableColumns()].flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    );
    const inPostgres = await postgres(
      "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'",
    );
    const inSqlite = sqlite(
      `select t.name || '.' || c.name as name from sqlite_schema t join pragma_table_info(t.name) c
     where t.type = 'table' and t.name not like 'sqlite_%'`,
    );
    const known = (rows: Record<string, unknown>[], apart: RegExp) =>
      rows.map(({ name }) => String(name)).filter((name) => !apart.test(name));
    assert.deepEqual(known(inPostgres, /^schema_version\./).sort(), [...names].sort());
    // Counters become sequences, and new keys are in the newest generation.
    assert.deepEqual(known(inSqlite, /^(counters|new_keys)\./).sort(), [...names].sort());
    const sequences = await postgres("select sequencename as name from pg_sequences order by 1");
    assert.deepEqual(
      sequences.map(({ name }) => name),
      ["mh_instances", "mh_numbers", "notices_no_seq", "sender_profiles_no_seq", "webhooks_no_seq"],
    );
  },
);

/** What people and programs read through the store. */
async function asked(store: Store, { resourceId, ownerId, webhookId, waiting }: Filled) {
  const whole = { webhookId, ownerId: null, from: 0, to: 2 ** 42 };
  const audit = await store.audit.verify(0, 1000);
  return {
    log: await store.log.list({ ownerId }, PAGE),
    page: await store.log.list({ ownerId: null }, { beforeSeq: 10, limit: 2 }),
    found: await store.log.list({ ownerId, text: String(waiting) }, PAGE),
    events: await store.events.list({ ownerId }, PAGE),
    webhooks: await store.webhooks.list({ ownerId, limit: 100 }),
    secret: await store.webhooks.forSending([1, 2]),
    replay: await store.log.countReplay({ ...whole, states: ["delivered"] }),
    failures: await store.log.failures(webhookId, ownerId),
    resources: await store.resources.find(resourceId),
    keys: await store.apiKeys.list(),
    sessions: await store.portalSessions.list({ ownerId, limit: 10 }),
    notices: await store.notices.list(0, 100, null),
    counts: await store.attemptCounts.list([1, 2]),
    hosts: await store.hosts.confirmed(10),
    profiles: [...(await store.log.profiles())],
    audit: { ...audit, rows: await store.audit.list({ ownerId: null }, PAGE) },
  };
}

pairTest(
  "the store answers the same on PostgreSQL, knows repeats, goes on counting, and rescues and claims in order",
  async ({ folder, url, options }, t) => {
    const filled = await fill(folder);
    const before = await openSqlite({ ...TEST_OPTIONS, folder });
    const next = await new World({ store: before } as unknown as World["harness"]).accept([
      event(filled.resourceId, "purchase", 77),
    ]);
    const told = await asked(before, filled);
    await before.close();
    await moveToPostgres(options);
    const store = await openPostgres({ ...TEST_OPTIONS, url });
    t.after(() => store.close());
    const again = await asked(store, filled);
    assert.deepEqual(again, told);
    assert.equal(again.audit.broken, null);

    const { results } = await store.events.accept(
      [
        event(filled.resourceId, "purchase", 1, keyed("old")),
        event(filled.resourceId, "purchase", filled.waiting, keyed("wait-3")),
        event(filled.resourceId, "download", filled.downloaded, keyed("another")),
      ],
      null,
    );
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ["duplicate", "duplicate", "duplicate"],
    );

    const w = new World({ store } as unknown as World["harness"]);
    const [event1] = await w.accept([event(filled.resourceId, "purchase", 78)]);
    const numbers = (await store.events.list({ ownerId: filled.ownerId }, PAGE)).items.map(
      ({ eventId }) => eventId,
    );
    assert.deepEqual(numbers.slice(0, 2), [event1, next[0]]);
    const webhook = await w.webhook(filled.resourceId);
    assert.ok(webhook.no > Math.max(...told.webhooks.map(({ no }) => no)));
    const instance = await w.instanceNo();
    assert.ok(instance > filled.instanceNo);

    const silent = (await store.instances.list()).filter(
      ({ instanceNo }) => instanceNo === filled.instanceNo,
    );
    const rescued = await store.deliveries.rescue(silent);
    assert.deepEqual([rescued.instanceNos, rescued.rescued], [[filled.instanceNo], 1]);
    const order: number[] = [];
    const ofWaiting = (deliveries: readonly QueuedDelivery[]) =>
      deliveries.filter(({ orderKey }) => orderKey === filled.waiting);
    for (let claimed = ofWaiting(await w.claimAll(instance)); claimed.length > 0;) {
      order.push(...claimed.map(({ eventSeq }) => eventSeq));
      await w.deliver(instance, claimed);
      // Told of those behind, which wait for a moment, a claim needs no scan: a slow one reads past them.
      const hints = claimed.map(({ webhookNo }) => ({ webhookNo, orderKey: filled.waiting }));
      const { deliveries } = await store.deliveries.claim({ ...claim(instance), hints });
      claimed = ofWaiting(deliveries);
    }
    assert.equal(order.length, 6, "three events to two webhooks");
    const each = order.filter((_, at) => at % 2 === 0);
    assert.deepEqual(
      each,
      [...each].sort((a, b) => a - b),
    );
  },
);

pairTest(
  "the folder does not start any more, says where its data went, and starts again when the mark is deleted",
  async ({ folder, options }) => {
    await fill(folder);
    await moveToPostgres(options);
    await assert.rejects(openSqlite({ ...TEST_OPTIONS, folder }), (error: Error) => {
      assert.match(error.message, /went to PostgreSQL at db\.example\/markethook at 2026-01-02T/);
      return withCode("moved_to_postgresql")(error);
    });
    assert.deepEqual(await moveToPostgres(options), { moved: false, rows: {} });
    const rotation = {
      masterKeys: options.masterKeys,
      dryRun: true,
      onProgress: () => {},
      pause: async () => {},
    };
    await assert.rejects(rotateSqliteMasterKey(folder, rotation), withCode("moved_to_postgresql"));
    await assert.rejects(
      moveToPostgres({ ...options, to: "elsewhere" }),
      withCode("moved_to_postgresql"),
    );
    rmSync(join(folder, "moved.json"));
    await (await openSqlite({ ...TEST_OPTIONS, folder })).close();
    await assert.rejects(moveToPostgres(options), withCode("database_not_empty"));
    writeFileSync(join(folder, "moved.json"), "{");
    await assert.rejects(openSqlite({ ...TEST_OPTIONS, folder }), (error: Error) => {
      assert.match(error.message, /an unknown time: .*moved\.json cannot be read \(/);
      return withCode("moved_to_postgresql")(error);
    });
  },
);

pairTest(
  "numbers of rows that were deleted are not given out again",
  async ({ folder, options, sqlite, postgres }) => {
    await fill(folder);
    sqlite("delete from notices");
    sqlite("delete from events");
    const used = (sql: string) => Number(sqlite(sql)[0]?.["used"]);
    const expected = {
      notices_no_seq: used("select seq as used from sqlite_sequence where name = 'notices'"),
      mh_numbers: used("select value as used from counters where name = 'number'"),
      mh_instances: used("select value as used from counters where name = 'instance'"),
    };
    await moveToPostgres(options);
    for (const [name, last] of Object.entries(expected)) {
      const [row] = await postgres(`select nextval('${name}') as next`);
      assert.equal(Number(row?.["next"]), last + 1, name);
      assert.ok(last > 0, name);
    }
  },
);

pairTest(
  "what waits is sent at once, although SQLite's clock was ahead of PostgreSQL's",
  async ({ folder, url, options }, t) => {
    const before = await openSqlite({ ...TEST_OPTIONS, folder });
    const was = new World({ store: before } as unknown as World["harness"]);
    const shop = await was.shop();
    await before.advanceClock(3_600_000);
    await was.accept([1, 2].map(() => event(shop.id, "purchase", was.user())));
    await before.close();
    await moveToPostgres(options);
    const store = await openPostgres({ ...TEST_OPTIONS, url });
    t.after(() => store.close());
    const w = new World({ store } as unknown as World["harness"]);
    const instanceNo = await w.instanceNo();
    assert.deepEqual(await w.claimAll(instanceNo), []);
    assert.equal((await store.maintenance.followClock(100)).moved, 2);
    assert.equal((await w.claimAll(instanceNo)).length, 2);
  },
);

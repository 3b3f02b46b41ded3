import assert from "node:assert/strict";
import { beforeEach, afterEach, test } from "node:test";
import { allOf, budget, event, keyed } from "../conformance/reports.ts";
import { delivered, retried, RULE } from "../conformance/settlements.ts";
import { kindOf } from "../hot/kinds.ts";
import type { Store } from "../port/store.ts";
import { createMigratedDatabase, execute } from "../testing/postgres-server.ts";
import { ONE_WEBHOOK, TEST_OPTIONS } from "./open-harness.ts";
import { openPostgres } from "./open.ts";

/** Far more than any of these statements asks for. */
const OTHERS = 20_000;
/** An index's entries of deleted rows are read again while another snapshot, such as autovacuum's, may see the rows. */
const FEW = 10_000;

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
beforeEach(async () => {
  database = await createMigratedDatabase();
});
afterEach(() => database.drop());

for (const { when, sql } of [
  { when: "nothing was stored", sql: "select 1" },
  // From then on the planner believes in tables of one row.
  { when: "the tables were vacuumed while empty", sql: "vacuum analyze leased, pending" },
]) {
  test(`accepting, claiming and settling read what they ask for, with plans from when ${when}`, async () => {
    const read = await readBy(async (store) => {
      const { instanceNo } = await store.instances.start("one", "1");
      await store.webhooks.create(ONE_WEBHOOK, null);
      let buyer = 0;
      const batch = async (): Promise<void> => {
        const items = Array.from({ length: 50 }, () => event("r", "purchase", (buyer += 1)));
        const { preLeased } = await store.events.accept(items, budget(instanceNo));
        assert.equal(preLeased.length, 50);
        await store.deliveries.settle(
          instanceNo,
          preLeased.map((one) => retried(one, 0)),
          RULE,
        );
        const { deliveries } = await store.deliveries.claim({
          instanceNo,
          cursor: 0,
          webhooks: 1,
          perWebhook: 50,
          hints: [],
          full: [],
        });
        assert.equal(deliveries.length, 50);
        await store.deliveries.settle(instanceNo, deliveries.map(delivered), RULE);
      };
      for (let times = 0; times < 6; times += 1) await batch();
      await execute(database.url, sql);
      for (let times = 0; times < 6; times += 1) await batch();
      await execute(
        database.url,
        `insert into leased (seq, event_seq, webhook_no, kind, order_key, instance_no, created_at)
           select 1000000 + n, 1, 1, 1, 1000000 + n, ${instanceNo}, 0 from generate_series(1, ${OTHERS}) as n;
         insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, created_at)
           select 2000000 + n, 1, 1, 1, 2000000 + n, mh_now(), 0 from generate_series(1, ${OTHERS}) as n`,
      );
      await batch();
    });
    assert.ok((read.get("leased") ?? 0) < FEW, JSON.stringify([...read]));
    assert.ok((read.get("pending") ?? 0) < FEW, JSON.stringify([...read]));
  });
}

test("the first settlement of a connection reads none of what others have leased", async () => {
  const read = await readBy(async (store) => {
    const { instanceNo } = await store.instances.start("one", "1");
    await store.webhooks.create(ONE_WEBHOOK, null);
    await execute(
      database.url,
      `insert into leased (seq, event_seq, webhook_no, kind, order_key, instance_no, created_at)
         select 1000000 + n, 1, 1, 1, 1000000 + n, 7, 0 from generate_series(1, ${OTHERS}) as n;
       analyze leased`,
    );
    const items = Array.from({ length: 500 }, (_, index) => event("r", "purchase", index + 1));
    const { preLeased } = await store.events.accept(items, budget(instanceNo, { share: 500 }));
    assert.equal(preLeased.length, 500);
    await store.deliveries.settle(instanceNo, preLeased.map(delivered), RULE);
  });
  assert.ok((read.get("leased") ?? 0) < FEW, JSON.stringify([...read]));
});

test("accepting with keys reads none of those stored, in any generation, with plans from when none was", async () => {
  const read = await readBy(async (store) => {
    let number = 0;
    const batch = async (): Promise<void> => {
      const items = Array.from({ length: 50 }, () =>
        event("r", "purchase", (number += 1), keyed(`key ${number}`)),
      );
      const { results } = await store.events.accept(items, null);
      assert.ok(results.every(({ kind }) => kind === "accepted"));
    };
    for (let times = 0; times < 10; times += 1) await batch();
    await execute(
      database.url,
      `insert into key_generations select n, mh_now() from generate_series(1, 5) as n;
       insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
         select n % 6, substring(sha256(convert_to(n::text, 'UTF8')) from 1 for 16), '', n, ''
         from generate_series(1, ${OTHERS}) as n`,
    );
    await batch();
  });
  assert.ok((read.get("idempotency_keys") ?? 0) < FEW, JSON.stringify([...read]));
});

test("deleting idempotency keys that are too old reads none of the others", async () => {
  const read = await readBy(async (store) => {
    await execute(
      database.url,
      `update key_generations set began_at = 1;
       insert into key_generations values (1, mh_now() - 1000000);
       insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
         select case when n > ${OTHERS} then 0 else 1 end, convert_to(n::text, 'UTF8'), '', n, ''
         from generate_series(1, ${OTHERS} + 10) as n`,
    );
    assert.equal(await store.maintenance.prune(1_000_000_000, 500_000, 1000), 10);
  });
  assert.ok((read.get("idempotency_keys") ?? 0) < FEW, JSON.stringify([...read]));
});

test("a step that deletes keys of a generation reads none that later steps delete, also without statistics", async () => {
  const read = await readBy(async (store) => {
    await execute(
      database.url,
      `alter table idempotency_keys set (autovacuum_enabled = false);
       update key_generations set began_at = 1;
       insert into key_generations values (1, mh_now() - 1000000);
       insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
         select 0, convert_to(n::text, 'UTF8'), '', n, '' from generate_series(1, ${OTHERS}) as n`,
    );
    assert.equal(await store.maintenance.prune(1_000_000_000, 500_000, 1000), 1000);
  });
  assert.ok((read.get("idempotency_keys") ?? 0) < FEW, JSON.stringify([...read]));
});

test("a probe reads none of the other deliveries that a failing webhook holds", async () => {
  const read = await readBy(async (store) => {
    const { instanceNo } = await store.instances.start("one", "1");
    await store.webhooks.create(ONE_WEBHOOK, null);
    const { results } = await store.events.accept([event("r", "purchase", 1)], null);
    assert.equal(results[0]?.kind, "accepted");
    await execute(
      database.url,
      `insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, created_at)
         select 2000000 + n, 1, 1, 1, 2000000 + n, mh_now(), 0 from generate_series(1, ${OTHERS}) as n;
       update webhooks set state = 'disabled', reason = 'failing', probe_at = 1`,
    );
    const probes = await store.deliveries.claimProbes(instanceNo, 10, 60_000);
    assert.equal(probes.length, 1);
  });
  assert.ok((read.get("pending") ?? 0) < FEW, JSON.stringify([...read]));
});

test("after its clock was set back, a look for probes reads only the webhooks that it moves", async () => {
  const read = await readBy(async (store) => {
    const { instanceNo } = await store.instances.start("one", "1");
    await execute(
      database.url,
      `insert into webhooks (id, resource_id, owner_id, url, format, description, state, reason, secret, secret_is_text,
           probe_at, created_at, updated_at)
         select 'wh_' || n, 'r' || n, 'o', repeat('u', 200), 'json', '', case when n % 4 = 0 then 'disabled' else 'active' end,
           'failing', repeat('s', 100), 0, case when n % 4 = 0 then mh_now() + 3600000 end, 1, 1 from generate_series(1, ${OTHERS}) as n;
       analyze webhooks`,
    );
    const probes = await store.deliveries.claimProbes(instanceNo, 10, 60_000);
    assert.deepEqual(probes, []);
  });
  assert.ok((read.get("webhooks") ?? 0) < FEW, JSON.stringify([...read]));
});

test("an erasure's step through the keys reads no other keys and events, also where nobody was erased before", async () => {
  const read = await readBy(async (store) => {
    await execute(
      database.url,
      `insert into events (seq, tag, resource_id, kind, time, payload, accepted_at, touched_at)
         select n, '', 'r', 2, 1, repeat('p', 200), 1, 1 from generate_series(1, ${2 * OTHERS}) as n;
       insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
         select 0, convert_to(n::text, 'UTF8'), '1', n, '' from generate_series(1, ${2 * OTHERS}) as n;
       analyze events, idempotency_keys`,
    );
    const { erasure } = store.actingAs({ kind: "system", id: null, name: "test", requestId: null });
    const keys = { phase: "keys", afterSeq: 0, afterKey: "", againFrom: null } as const;
    const { next } = await erasure.step(1, keys);
    assert.ok(next !== null);
  });
  assert.ok((read.get("events") ?? 0) < FEW, JSON.stringify([...read]));
  // One reading finds the end of the step.
  assert.ok((read.get("idempotency_keys") ?? 0) < 2 * FEW, JSON.stringify([...read]));
});

test("of the webhooks of earlier owners, which stay marked, a step that cancels reads a bounded number", async () => {
  const marked = 40_000;
  const read = await readBy(async (store) => {
    await store.webhooks.create(ONE_WEBHOOK, null);
    await execute(
      database.url,
      `insert into webhooks (id, resource_id, owner_id, url, format, description, state, reason, secret, secret_is_text,
           cancel_before, cancel_reason, created_at, updated_at)
         select 'wh_old' || n, 'r', 'earlier', '', 'json', '', 'disabled', 'owner_changed', '', 0,
           ${Number.MAX_SAFE_INTEGER}, 'owner_changed', 1, 1 from generate_series(1, ${marked}) as n;
         analyze webhooks`,
    );
    assert.equal(await store.deliveries.cancelMarked(2000), 0);
  });
  assert.ok((read.get("webhooks") ?? 0) < marked / 2, JSON.stringify([...read]));
});

test("claiming reads the webhooks that have something due, and none of those just imported", async () => {
  const read = await readBy(async (store) => {
    const { instanceNo } = await store.instances.start("one", "1");
    const hints = Array.from({ length: 50 }, (_, n) => ({
      webhookNo: n + 1,
      orderKey: 1_000_001 + n,
    }));
    const claim = async (): Promise<void> => {
      const request = { instanceNo, cursor: 0, webhooks: 50, perWebhook: 50, full: [], hints };
      await store.deliveries.claim(request);
      await store.deliveries.oldestDue(0, OTHERS, 50);
    };
    await claim();
    // The planner has no statistics of them until somebody analyzes the table, a minute later or more.
    await execute(
      database.url,
      `alter table webhooks set (autovacuum_enabled = false);
       insert into webhooks (no, id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at)
         select n, 'wh_' || n, 'r' || n, 'o', '', 'json', '', 'active', '', 1, 1, 1 from generate_series(1, ${OTHERS}) as n;
       insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, created_at)
         select 1000000 + n, 1, n, 1, 1000000 + n, 0, 0 from generate_series(1, 100) as n`,
    );
    await claim();
  });
  assert.ok((read.get("webhooks") ?? 0) < FEW, JSON.stringify([...read]));
});

test("an owner's notices, and the time since when a webhook is disabled, are found among those of others", async () => {
  const read = await readBy(async (store) => {
    await store.webhooks.create(ONE_WEBHOOK, null);
    const { results } = await store.events.accept([event("r", "purchase", 1)], null);
    const [result] = results;
    assert.ok(result?.kind === "accepted");
    await execute(
      database.url,
      `update webhooks set state = 'disabled', reason = 'failing';
       insert into notices (kind, owner_id, resource_id, webhook_id, detail, created_at)
         select 'webhook_disabled', 'o' || n, 'r' || n, 'wh_' || n, '{}', n from generate_series(1, ${OTHERS}) as n;
       insert into notices (kind, owner_id, resource_id, webhook_id, detail, created_at)
         values ('webhook_disabled', 'o', 'r', 'wh_1', '{}', 7);
       analyze notices`,
    );
    assert.equal((await store.notices.list(0, 10, "o")).length, 1);
    const explained = await store.events.explain(result.eventId, null);
    assert.equal(explained?.webhooks[0]?.stateSince, 7);
  });
  assert.ok((read.get("notices") ?? 0) < 100, JSON.stringify([...read]));
});

test("an owner's and a resource's log, and why nothing arrived, read no webhooks of others, deleted ones neither", async () => {
  const read = await readBy(async (store) => {
    const { id } = await store.webhooks.create(ONE_WEBHOOK, null);
    await store.webhooks.create({ ...ONE_WEBHOOK, id: "wh_two" }, null);
    const { results } = await store.events.accept([event("r", "purchase", 1)], null);
    const [result] = results;
    assert.ok(result?.kind === "accepted");
    await store.webhooks.delete(id, null);
    await execute(
      database.url,
      `insert into webhooks (id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at, deleted_at)
         select 'wh_of_others_' || n, 'r' || n % 9, 'o' || n % 9, '', 'json', '', 'active', '', 0, 0, 0, case n % 2 when 0 then 1 end
         from generate_series(1, ${OTHERS}) as n;
       analyze webhooks`,
    );
    const page = { beforeSeq: null, limit: 10 };
    for (const whose of [
      { ownerId: "o" },
      { ownerId: "o", resourceId: "r" },
      { ownerId: null, resourceId: "r" },
    ]) {
      assert.equal((await store.log.list(whose, page)).items.length, 2);
    }
    assert.equal((await store.events.explain(result.eventId, "o"))?.webhooks.length, 2);
  });
  assert.ok((read.get("webhooks") ?? 0) < 200, JSON.stringify([...read]));
});

test("counting the events that a webhook lacks reads no deliveries to others", async () => {
  const read = await readBy(async (store) => {
    await store.webhooks.create(ONE_WEBHOOK, null);
    await execute(
      database.url,
      `insert into events (seq, tag, resource_id, kind, time, user_id, payload, accepted_at, touched_at)
         select n, '', 'r', ${kindOf("product.user.purchase")}, 1, n, '{}', 1, 1 from generate_series(1, ${OTHERS}) as n;
       insert into ended (seq, event_seq, webhook_no, kind, order_key, state, attempts, origin, created_at, ended_at)
         select n * 128, n, 7, 1, n, 0, 1, 0, 1, 1 from generate_series(1, ${OTHERS}) as n;
       analyze events, ended`,
    );
    const found = await store.log.countMissing({ ...allOf("wh_1"), confirmed: false });
    assert.equal(found.count, OTHERS);
  });
  assert.ok((read.get("ended") ?? 0) < FEW, JSON.stringify([...read]));
});

/** Rows and entries of indexes that were read of each table. */
async function readBy(work: (store: Store) => Promise<void>): Promise<Map<string, number>> {
  const store = await openPostgres({ ...TEST_OPTIONS, url: database.url });
  try {
    await store.resources.put([{ id: "r", ownerId: "o", title: "T", subtitle: "" }]);
    await work(store);
  } finally {
    await store.close();
  }
  // What a connection has read is counted when it has ended.
  let others = 1;
  while (others > 0) {
    const rows = await execute(
      database.url,
      `select count(*) as n from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    others = Number(rows[0]?.["n"]);
  }
  const rows = await execute(
    database.url,
    `select t.relname, t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0) as read
     from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid) group by t.relid, t.relname, t.seq_tup_read`,
  );
  return new Map(rows.map((row) => [String(row["relname"]), Number(row["read"])]));
}

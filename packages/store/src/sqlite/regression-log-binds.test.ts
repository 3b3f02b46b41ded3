import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { Kysely } from "kysely";
import { listDeliveries } from "../management/log/delivery-list.ts";
import { listStoredEvents } from "../management/log/event-list.ts";
import type { DeliveryFilter } from "../port/delivery-log.ts";
import type { EventFilter } from "../port/events.ts";
import type { Tables } from "../tables.ts";
import { sqliteDialect } from "./dialect.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openSqlite } from "./open.ts";
import { WorkerClient } from "./worker-client.ts";

/** A row in each of so many buckets, one webhook and resource after the other. */
const BUCKETS = 30_000;
const SCOPES = 3000;
/** Of one statement: PostgreSQL takes 65,535, SQLite 32,766. */
const MOST = 12_000;

const folder = mkdtempSync(join(tmpdir(), "markethook-binds-"));
let worker: WorkerClient;
let binds: number[];
let db: Kysely<Tables>;

before(async () => {
  await (await openSqlite({ ...TEST_OPTIONS, folder })).close();
  const path = join(folder, "markethook.sqlite");
  fill(path);
  worker = new WorkerClient({ path, reader: { clockBase: 0 }, baseUrl: TEST_OPTIONS.baseUrl });
  await worker.ready();
  db = new Kysely<Tables>({
    dialect: sqliteDialect(worker, null),
    log: ({ query }) => void binds.push(query.parameters.length),
  });
});

after(async () => {
  await worker.close();
  rmSync(folder, { recursive: true });
});

const page = { beforeSeq: null, limit: 100, examined: 1000 };

/** `few` has a third of the webhooks and resources, `many` more than are looked up one by one. */
for (const [name, ofLog, ofEvents] of [
  [
    "one webhook",
    { ownerId: null, webhookId: "wh-7" },
    { ownerId: null, resourceId: "resource-7" },
  ],
  ["an owner of a thousand webhooks", { ownerId: "few" }, { ownerId: "few" }],
  ["an owner of thousands of webhooks", { ownerId: "many" }, { ownerId: "many" }],
  ["everybody", { ownerId: null, state: "dead" }, { ownerId: null, userId: 5 }],
] satisfies [string, DeliveryFilter, EventFilter][]) {
  test(`a page for ${name} has a bounded number of statements and parameters`, async () => {
    binds = [];
    await listDeliveries(db, ofLog, page);
    await listStoredEvents(db, ofEvents, page);
    assert.ok(binds.length > 2 && binds.length < 20, `${binds.length} statements`);
    assert.ok(Math.max(...binds) < MOST, `${Math.max(...binds)} parameters`);
  });
}

function fill(path: string): void {
  const raw = new DatabaseSync(path);
  const numbers = (count: number): string =>
    `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
  const owner = `case when i % 3 = 0 then 'few' else 'many' end`;
  raw.exec(
    `insert into resources (id, owner_id, title, subtitle, created_at, updated_at)
       ${numbers(SCOPES * 2)} select 'resource-' || i, ${owner}, '', '', 0, 0 from n;
     insert into webhooks (no, id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at)
       ${numbers(SCOPES * 2)} select i + 1, 'wh-' || i, 'resource-' || i, ${owner}, '', 'json', '', 'active', '', 0, 0, 0 from n;
     insert into events (seq, tag, resource_id, kind, time, user_id, payload, accepted_at, touched_at)
       ${numbers(BUCKETS)} select 1 + i * 16384, '', 'resource-' || (i % ${SCOPES * 2}), 1, 0, i, '{}', 0, 0 from n;
     insert into ended (seq, event_seq, webhook_no, kind, order_key, state, attempts, origin, created_at, ended_at)
       ${numbers(BUCKETS)} select (1 + i * 16384) * 128, 1 + i * 16384, 1 + i % ${SCOPES * 2}, 1, i, 0, 1, 0, 0, 0 from n;
     insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, created_at)
       ${numbers(SCOPES * 2)} select (1 + i * 16384) * 128 + 1, 1 + i * 16384, 1 + i, 1, i, 0, 0 from n;`,
  );
  raw.close();
}

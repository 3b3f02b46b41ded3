import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openPostgres } from "../postgres/open.ts";
import type { Store } from "../port/store.ts";
import { openSqlite } from "../sqlite/open.ts";
import { createTestDatabase, execute } from "./postgres-server.ts";

/**
 * Shows what a claim costs with 1,000,000 deliveries pending over 10,000 webhooks, 500,000 of them on one:
 * `node packages/store/src/testing/claim-cost.ts`. Prints, asserts nothing.
 */
const PENDING = 1_000_000;
const WEBHOOKS = 10_000;
const CLAIMS = 200;
const OPTIONS = { baseUrl: "https://market.example", masterKeys: [new Uint8Array(32).fill(1)] };

/** What a statement can select the numbers i from the first to the last from. */
type Series = (first: number, last: number) => string;

/** Half on webhook 1, the rest evenly; every buyer another one. */
const fill = (series: Series): string[] => [
  `insert into webhooks (id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at)
   select 'wh_' || i, 'r' || i, 'o', 'https://receiver.example/', 'json', '', 'active', '', 0, 1, 1 from ${series(1, WEBHOOKS)}`,
  `insert into events (seq, tag, resource_id, kind, time, user_id, payload, accepted_at, touched_at)
   values (1, '0123456789', 'r1', 2, 1, 1, '{}', 1, 1)`,
  `insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, created_at)
   select i * 128, 1, case when i % 2 = 0 then 1 else 1 + i % ${WEBHOOKS} end, 2, i, 1, 1 from ${series(1, PENDING)}`,
];

async function measure(name: string, store: Store): Promise<void> {
  const { instanceNo } = await store.instances.start("claim cost", "0");
  const times: number[] = [];
  let cursor = 0;
  let claimed = 0;
  let ofTheBig = 0;
  for (let round = 0; round < CLAIMS; round += 1) {
    const startedAt = performance.now();
    const outcome = await store.deliveries.claim({
      instanceNo,
      cursor,
      webhooks: 100,
      perWebhook: 2,
      hints: [],
      full: [],
    });
    times.push(performance.now() - startedAt);
    cursor = outcome.cursor;
    claimed += outcome.deliveries.length;
    ofTheBig += outcome.deliveries.filter((delivery) => delivery.webhookNo === 1).length;
  }
  console.log(
    `${name}: ${CLAIMS} claims of 100 webhooks x 2 rows: p50 ${within(times, 0.5)} ms, p99 ${within(times, 0.99)} ms; ` +
      `${claimed} claimed, ${ofTheBig} of them from the webhook with half of everything`,
  );
  const startedAt = performance.now();
  await store.deliveries.oldestDue(0, Number.MAX_SAFE_INTEGER, WEBHOOKS);
  console.log(
    `${name}: age of the oldest due delivery over ${WEBHOOKS} webhooks: ${(performance.now() - startedAt).toFixed(0)} ms`,
  );
}

/** The time, in milliseconds, that this share of the calls did not exceed. */
function within(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
}

const folder = mkdtempSync(join(tmpdir(), "markethook-cost-"));
await (await openSqlite({ ...OPTIONS, folder })).close();
const file = new DatabaseSync(join(folder, "markethook.sqlite"));
const counted: Series = (first, last) =>
  `(with recursive s(i) as (select ${first} union all select i + 1 from s where i < ${last}) select i from s)`;
for (const sql of fill(counted)) file.exec(sql);
file.close();
const store = await openSqlite({ ...OPTIONS, folder });
await measure("SQLite", store);
await store.close();
rmSync(folder, { recursive: true });

const { url, drop } = await createTestDatabase();
await (await openPostgres({ ...OPTIONS, url })).close();
for (const sql of fill((first, last) => `generate_series(${first}, ${last}) as s(i)`))
  await execute(url, sql);
await execute(url, "analyze");
const other = await openPostgres({ ...OPTIONS, url });
await measure("PostgreSQL", other);
await other.close();
await drop();

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { REPLY_COLUMNS } from "../hot/attempt-counts.ts";
import type { CountScope } from "../port/attempt-counts.ts";
import type { Store } from "../port/store.ts";
import { openPostgres } from "../postgres/open.ts";
import { openSqlite } from "../sqlite/open.ts";
import { createTestDatabase, execute } from "./postgres-server.ts";

/**
 * Shows what a chart over 30 days costs with 1,000,000 deliveries of 100 webhooks of one owner, a row for each webhook
 * and hour: `node packages/store/src/testing/count-cost.ts`. Prints, asserts nothing.
 */
const WEBHOOKS = 100;
const HOURS = 720;
const PER_HOUR = 14;
const ASKED = 30;
const OPTIONS = { baseUrl: "https://market.example", masterKeys: [new Uint8Array(32).fill(1)] };
const NOW = Math.floor(Date.now() / 3_600_000);
const SUMS = ["ok", "failed", "given_up", ...REPLY_COLUMNS];

/** `series` yields i from 0 to its number. */
function fill(series: (count: number) => string): string[] {
  const row = (webhook: string, times: number): string =>
    [
      webhook,
      `${NOW} - i % ${HOURS}`,
      ...SUMS.map((_, at) => (at === 0 ? PER_HOUR * times : 1)),
    ].join(", ");
  const columns = ["webhook_no", "hour", ...SUMS].join(", ");
  return [
    `insert into webhooks (no, id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at)
     select i + 1, 'wh_' || i, 'r' || i, 'o', '', 'json', '', 'active', '', 0, 1, 1 from ${series(WEBHOOKS)}`,
    `insert into attempt_history (${columns}) select ${row(`1 + i / ${HOURS}`, 1)} from ${series(WEBHOOKS * HOURS)}`,
    `insert into attempt_history (${columns}) select ${row("0", WEBHOOKS)} from ${series(HOURS)}`,
  ];
}

async function measure(name: string, store: Store): Promise<void> {
  const all: CountScope = { webhookNo: null, ownerId: null, resourceId: null };
  for (const [what, scope, stepHours] of [
    ["one webhook, by hour", { ...all, webhookNo: 1 }, 1],
    ["one webhook, by day", { ...all, webhookNo: 1 }, 24],
    ["an owner's 100 webhooks, by hour", { ...all, ownerId: "o" }, 1],
    ["an owner's 100 webhooks, by day", { ...all, ownerId: "o" }, 24],
    ["the service, by hour", all, 1],
  ] as const) {
    const times: number[] = [];
    let deliveries = 0;
    const before = process.cpuUsage();
    for (let round = 0; round < ASKED; round += 1) {
      const startedAt = performance.now();
      const range = { firstHour: NOW - HOURS + 1, stepHours, steps: HOURS / stepHours };
      const sums = await store.attemptCounts.sums(scope, range);
      times.push(performance.now() - startedAt);
      deliveries = sums.reduce((sum, { ok }) => sum + ok, 0);
    }
    const { user, system } = process.cpuUsage(before);
    times.sort((a, b) => a - b);
    const at = (share: number): string =>
      (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
    console.log(
      `${name}, ${what}: ${deliveries} deliveries, p50 ${at(0.5)} ms, slowest of ${ASKED} ${at(1)} ms, CPU of this process ${((user + system) / 1000 / ASKED).toFixed(1)} ms each`,
    );
  }
  await store.close();
}

const folder = mkdtempSync(join(tmpdir(), "markethook-count-cost-"));
await (await openSqlite({ ...OPTIONS, folder })).close();
const file = new DatabaseSync(join(folder, "markethook.sqlite"));
const counted = (count: number): string =>
  `(with recursive s(i) as (select 0 union all select i + 1 from s where i < ${count - 1}) select i from s)`;
for (const sql of fill(counted)) file.exec(sql);
file.close();
await measure("SQLite", await openSqlite({ ...OPTIONS, folder }));
rmSync(folder, { recursive: true });

const database = await createTestDatabase();
await (await openPostgres({ ...OPTIONS, url: database.url })).close();
for (const sql of fill((count) => `generate_series(0, ${count - 1}) as s(i)`))
  await execute(database.url, sql);
await execute(database.url, "analyze");
await measure("PostgreSQL", await openPostgres({ ...OPTIONS, url: database.url }));
await database.drop();

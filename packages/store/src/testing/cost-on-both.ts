import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openPostgres } from "../postgres/open.ts";
import type { Store } from "../port/store.ts";
import { openSqlite } from "../sqlite/open.ts";
import { createTestDatabase, execute } from "./postgres-server.ts";

const OPTIONS = { baseUrl: "https://market.example", masterKeys: [new Uint8Array(32).fill(1)] };

/** What a statement can select the numbers i from the first to the last from. */
export type Series = (first: number, last: number) => string;

/** Measures a store of each database, after these statements have filled it. */
export async function costOnBoth(
  fill: (series: Series) => string[],
  measure: (name: string, store: Store) => Promise<void>,
): Promise<void> {
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
}

/** The time, in milliseconds, that this share of the calls did not exceed. */
export function within(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
}

import type { Pool, PoolClient } from "pg";
import type { KeyRow } from "../hot/accept-transaction.ts";
import { generationSpan } from "../hot/key-hash-and-generation.ts";
import { byteaArray, int8Array } from "./binary-array.ts";
import { columnList } from "./column-list.ts";
import { inTransaction, readRows } from "./connection.ts";

/**
 * Lock that all accepts share and that the start of a generation takes alone, so that no accept inserts into an old
 * generation.
 */
const GENERATION_LOCK = 7_411_003;
/** While one call waits for it, new accepts wait behind it. */
const LONGEST_WAIT_MS = 1000;
const LOCK_NOT_AVAILABLE = "55P03";

/** Locks until the transaction ends. */
export async function holdGeneration(client: PoolClient): Promise<void> {
  await client.query(`select pg_advisory_xact_lock_shared(${GENERATION_LOCK})`);
}

const KEYS = columnList<KeyRow>({
  key: ["bytea", (row) => row.key],
  body_hash: ["bytea", (row) => row.bodyHash],
  event_seq: ["bigint", (row) => row.eventSeq],
  tag: ["text", (row) => row.tag],
});

/** Inserts keys that no generation has into the newest one. Returns the keys that existed. */
export async function claimKeys(
  client: PoolClient,
  generations: readonly number[],
  rows: readonly KeyRow[],
): Promise<KeyRow[]> {
  const arrays = KEYS.arrays(rows);
  const inserted = await client.query(
    // Not "exists": a plan made while the tables were small would read whole tables each time.
    `insert into idempotency_keys (${KEYS.names}, generation)
     select i.*, $5::bigint from (select ${KEYS.unnested}) as i (${KEYS.names})
     where (select 1 from idempotency_keys k
            where k.generation = any($6::bigint[]) and k.key = i.key limit 1) is null
     on conflict do nothing`,
    [...arrays, generations.at(-1), int8Array(generations.slice(0, -1))],
  );
  if (inserted.rowCount === rows.length) return [];
  const [keys, , eventSeqs] = arrays;
  // A second statement, because only its snapshot sees the keys that others won while the first one waited.
  const known = await client.query(
    `select key, body_hash, event_seq, tag from idempotency_keys
     where generation = any($1::bigint[]) and key = any($2::bytea[]) and event_seq <> all($3::bigint[])`,
    [int8Array(generations), keys, eventSeqs],
  );
  return known.rows.map((row): KeyRow => ({
    key: digits(row["key"]),
    bodyHash: digits(row["body_hash"]),
    eventSeq: Number(row["event_seq"]),
    tag: String(row["tag"]),
  }));
}

/** Deletes keys that this transaction claimed: they are in the newest generation. */
export async function dropKeys(
  client: PoolClient,
  generations: readonly number[],
  keys: readonly string[],
): Promise<void> {
  await client.query(
    "delete from idempotency_keys where generation = $1 and key = any($2::bytea[])",
    [generations.at(-1), byteaArray(keys)],
  );
}

/** Begins the next generation of keys when it is time. */
export async function beginGeneration(pool: Pool, idempotencyMs: number): Promise<void> {
  const span = generationSpan(idempotencyMs);
  const due =
    "select max(no) + 1, mh_now() from key_generations having max(began_at) <= mh_now() - $1::bigint";
  if ((await readRows(pool, due, [span])).length === 0) return;
  await inTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${LONGEST_WAIT_MS}`);
    await client.query(`select pg_advisory_xact_lock(${GENERATION_LOCK})`);
    // Checked again: another instance may have begun it.
    await client.query(`insert into key_generations (no, began_at) ${due}`, [span]);
  }).catch((error: unknown) => {
    // An accept takes long; the next step tries again.
    if (!isLockTimeout(error)) throw error;
  });
}

/** Deletes rows of a generation whose youngest key is too old. */
export async function pruneKeys(
  client: PoolClient,
  idempotencyMs: number,
  limit: number,
): Promise<number> {
  const { rows } = await client.query(
    `select no from key_generations g
     where exists (select 1 from key_generations n where n.no > g.no and n.began_at < mh_now() - $1::bigint)
     order by no limit 1`,
    [idempotencyMs],
  );
  const no: unknown = rows[0]?.["no"];
  if (no === undefined) return 0;
  const keys = await client.query(
    `delete from idempotency_keys where generation = $1 and key = any(array(
       select key from idempotency_keys where generation = $1 order by key limit $2 for update skip locked))`,
    [no, limit],
  );
  if ((keys.rowCount ?? 0) > 0) return keys.rowCount ?? 0;
  // Another instance is deleting some rows, which are still there.
  const generation = await client.query(
    "delete from key_generations where no = $1 and not exists (select 1 from idempotency_keys where generation = $1)",
    [no],
  );
  return generation.rowCount ?? 0;
}

function isLockTimeout(error: unknown): boolean {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error && "code" in inner && inner.code === LOCK_NOT_AVAILABLE;
}

function digits(bytes: unknown): string {
  if (!Buffer.isBuffer(bytes)) throw new TypeError("expected bytes in a stored key");
  return bytes.toString("hex");
}

import { type Client, DatabaseError } from "pg";
import { INVALID, missingParts } from "../expected-shape.ts";
import { instanceOf, keyIdIn, nullableText } from "../hot/rows.ts";
import type { Inspection, OldSnapshot, PostgresInspection } from "../port/inspection.ts";
import { storeError } from "./connection.ts";
import { closedSentence, readRights } from "./rights.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { schemaElsewhere, storedVersion, withClient } from "./direct-client.ts";
import { readShape } from "./read-shape.ts";

/** Of a statement. */
const LIMIT_MS = 5000;
/** For the server's own word that it took too long. One that hangs, behind a pooler or not, says nothing at all. */
const GRACE_MS = 1000;
const LATE = "no answer in time; a table may be locked";

/** Inspects the database and its server's settings, also while services run. */
export async function inspectPostgres(
  url: string,
  limitMs = LIMIT_MS,
): Promise<PostgresInspection> {
  try {
    return await withClient(url, (client) => inspect(client, limitMs), {
      connectionTimeoutMillis: 5000,
      query_timeout: limitMs + GRACE_MS,
    });
  } catch (error) {
    // The server ended a statement that took too long.
    const isLate = error instanceof DatabaseError && error.code === "57014";
    throw storeError(isLate ? new Error(LATE, { cause: error }) : error);
  }
}

async function inspect(client: Client, limitMs: number): Promise<PostgresInspection> {
  // One snapshot, and no change by any query.
  await client.query(
    `begin transaction isolation level repeatable read read only; set local statement_timeout = ${limitMs}`,
  );
  const server = await readServer(client);
  const { creates, closed } = await readRights(client);
  if (closed.length > 0) return { ...server, ...UNREAD, lackingRights: closedSentence(closed) };
  const content = await readContent(client);
  const cannotMigrate = content.applied < content.known && !creates;
  return { ...server, ...content, lackingRights: cannotMigrate ? CREATES_NOTHING : null };
}

const SERVER = `select
  current_setting('server_version_num')::int as version,
  extract(epoch from clock_timestamp()) * 1000 as now,
  current_setting('server_encoding') as encoding,
  (select reset_val from pg_settings where name = 'synchronous_commit') as synchronous_commit,
  current_setting('synchronous_standby_names') as standby_names,
  current_setting('fsync') = 'on' as fsync,
  current_setting('full_page_writes') = 'on' as full_page_writes,
  current_setting('wal_compression') <> 'off' as wal_compression,
  (select setting::bigint from pg_settings where name = 'max_wal_size') as max_wal_mib,
  pg_is_in_recovery()
    or (select reset_val from pg_settings where name = 'default_transaction_read_only') = 'on' as read_only,
  least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
  ) as connections,
  pg_backend_pid() as pid,
  coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted`;

/** Of the sessions that this user may see into. One that has written keeps deleted rows too, also between its statements. */
const OLDEST_SNAPSHOT = `select pid, application_name as application, extract(epoch from clock_timestamp() - xact_start)::int as seconds
  from pg_stat_activity
  where (backend_xmin is not null or backend_xid is not null) and backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()
  order by xact_start limit 1`;

async function readServer(
  client: Client,
): Promise<Omit<PostgresInspection, keyof Content | "lackingRights">> {
  const replyMs = await measureReply(client);
  const { rows } = await client.query<Record<string, unknown>>(SERVER);
  const row = rows[0] ?? {};
  const standbys = await client.query<{ sync_state: string | null }>(
    "select sync_state from pg_stat_replication",
  );
  const snapshots = await client.query<OldSnapshot>(OLDEST_SNAPSHOT);
  return {
    serverVersion: Number(row["version"]),
    replyMs,
    now: Number(row["now"]),
    encoding: String(row["encoding"]),
    synchronousCommit: String(row["synchronous_commit"]),
    synchronousStandbyNames: String(row["standby_names"]),
    standbys: standbys.rows.map(({ sync_state }) => sync_state),
    fsync: row["fsync"] === true,
    fullPageWrites: row["full_page_writes"] === true,
    walCompression: row["wal_compression"] === true,
    maxWalMib: Number(row["max_wal_mib"]),
    oldestSnapshot: snapshots.rows[0] ?? null,
    readOnly: row["read_only"] === true,
    encrypted: row["encrypted"] === true,
    connections: Number(row["connections"]),
    pooled: isOfPooler(client, row),
    elsewhere: await schemaElsewhere(client),
  };
}

/** Several times: one reply may be late by chance. */
async function measureReply(client: Client): Promise<number> {
  let shortest = Infinity;
  for (let times = 0; times < 3; times += 1) {
    const from = performance.now();
    await client.query("select 1");
    shortest = Math.min(shortest, performance.now() - from);
  }
  return shortest;
}

/** Tells whether a pooler answers at this URL, before the server. */
export async function isPooled(url: string): Promise<boolean> {
  try {
    return await withClient(
      url,
      async (client) => {
        const { rows } = await client.query<Record<string, unknown>>(
          "select pg_backend_pid() as pid",
        );
        return isOfPooler(client, rows[0] ?? {});
      },
      { connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS },
    );
  } catch (error) {
    throw storeError(error);
  }
}

/** A pooler reports a process number of its own when the connection opens. */
function isOfPooler(client: Client, { pid }: Record<string, unknown>): boolean {
  // Not part of its types.
  const { processID } = client as unknown as { processID?: unknown };
  return processID !== Number(pid);
}

type Content = Inspection & Pick<PostgresInspection, "invalidIndexes">;

const NOTHING: Content = {
  applied: 0,
  known: MIGRATIONS.length,
  missing: [],
  invalidIndexes: [],
  encryptedBy: null,
  secretsEncryptedBy: {},
  firstKeyHash: null,
  settings: null,
  instances: [],
};
/** Of tables that this user may not read nothing is known, also not that they are old. */
const UNREAD: Content = { ...NOTHING, applied: MIGRATIONS.length };
const CREATES_NOTHING = "The database's user may not make tables, and some are to be made.";

async function readContent(client: Client): Promise<Content> {
  const applied = (await storedVersion(client)) ?? 0;
  const shape = await readShape(client);
  const missing = missingParts(applied, shape);
  const invalidIndexes = [...shape]
    .filter((part) => part.endsWith(INVALID))
    .map((part) => part.slice(0, -INVALID.length))
    .filter((part) => !missing.some((one) => one.startsWith(`${part} `)))
    .sort();
  const found = { ...NOTHING, applied, missing, invalidIndexes };
  // Nothing can be read of a table that is not there.
  if (applied === 0 || missing.length > 0) return found;
  const stored = await client.query<{ key: string; value: string }>(
    "select key, value from meta where key in ('dedupe_secret', 'settings')",
  );
  const meta = new Map(stored.rows.map(({ key, value }) => [key, value]));
  const encrypts = await client.query<{ id: string; count: string }>(
    "select substr(secret, 4, 8) as id, count(*) as count from webhooks where deleted_at is null group by 1",
  );
  const firstKey = await client.query("select hash from api_keys order by created_at, id limit 1");
  const instances = await client.query("select * from instances order by instance_no");
  return {
    ...found,
    encryptedBy: keyIdIn(meta.get("dedupe_secret")),
    secretsEncryptedBy: Object.fromEntries(
      encrypts.rows.map(({ id, count }) => [id, Number(count)]),
    ),
    firstKeyHash: nullableText(firstKey.rows[0]?.["hash"]),
    settings: meta.get("settings") ?? null,
    instances: instances.rows.map(instanceOf),
  };
}

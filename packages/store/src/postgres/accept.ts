import { DatabaseError, type PoolClient } from "pg";
import type {
  AcceptTransaction,
  AcceptWrites,
  DedupeKeyRow,
  EventRow,
  NewDelivery,
} from "../hot/accept-transaction.ts";
import type { OrderPair } from "../port/deliveries.ts";
import { orderKeyOf } from "../hot/numbers.ts";
import { lockingOrder, orderLock, ownerLock } from "../hot/order-lock.ts";
import { fanOutRow, resourceRow } from "../hot/rows.ts";
import { PLAIN_WEBHOOK_COLUMNS } from "../management/webhooks/sendable-webhook.ts";
import { int8Array, numberList, textArray } from "./binary-array.ts";
import { type Column, columnList } from "./column-list.ts";
import { claimKeys, dropKeys, holdGeneration } from "./idempotency-keys.ts";

const RESOURCE_COLUMNS = "id, owner_id, title, subtitle, file_version";

const RESOURCES = `select ${RESOURCE_COLUMNS} from resources where id = any($1::text[]) and deleted_at is null`;

const WEBHOOKS = `select w.no, w.resource_id, w.owner_id, w.mask, w.state, w.cancel_before, ${PLAIN_WEBHOOK_COLUMNS}
  from webhooks w where w.resource_id = any($1::text[]) and w.deleted_at is null order by w.no`;

const DEDUPE_KEYS = columnList<DedupeKeyRow>({
  dedupe_key: ["text", (row) => row.dedupeKey],
  event_seq: ["bigint", (row) => row.eventSeq],
  tag: ["text", (row) => row.tag],
});

const PAIRS = columnList<OrderPair>({
  webhook_no: ["bigint", (pair) => pair.webhookNo],
  order_key: ["bigint", (pair) => pair.orderKey],
});

const EVENTS = columnList<EventRow>({
  seq: ["bigint", (row) => row.seq],
  tag: ["text", (row) => row.tag],
  resource_id: ["text", (row) => row.resourceId],
  kind: ["smallint", (row) => row.kind],
  time: ["bigint", (row) => row.time],
  user_id: ["bigint", (row) => row.userId],
  payload: ["text", (row) => row.payload],
  details: ["text", (row) => row.details],
});

const DELIVERY: Readonly<Record<string, Column<NewDelivery>>> = {
  seq: ["bigint", (row) => row.seq],
  event_seq: ["bigint", (row) => row.eventSeq],
  webhook_no: ["bigint", (row) => row.webhookNo],
  kind: ["smallint", (row) => row.kind],
  order_key: ["bigint", (row) => row.orderKey],
};
const LEASED = columnList(DELIVERY);
const PENDING = columnList<AcceptWrites["pending"][number]>({
  ...DELIVERY,
  blocked: ["smallint", (row) => (row.blocked ? 1 : 0)],
});

/**
 * Statements of one flight are sent together and awaited together. Each flight waits for a turn of this process, which
 * is busy sending. So there are three flights: the locks and reads, the claims, and the writes of `last`, with which
 * the commit travels.
 */
export function acceptTransaction(client: PoolClient, last: Promise<unknown>[]): AcceptTransaction {
  /** Generations of idempotency keys, the oldest first. */
  let generations: readonly number[] = [];
  /** Ids of the changing resources that have a row, also of deleted ones. */
  let locked: ReadonlySet<string> = new Set();
  return {
    async open(instanceNo, items) {
      const resourceIds = [...new Set(items.map((item) => item.resourceId))];
      const changing = items.filter(
        (item) => item.resource !== undefined || item.update !== undefined,
      );
      const lockedResourceIds = [...new Set(changing.map((item) => item.resourceId))];
      const orderLocks = items.map((item) => orderLock(item.resourceId, orderKeyOf(item)));
      const [, instance, changingRows, , resources, webhooks, taken] = await Promise.all([
        // Before all other locks, so that a transaction that waits here for the next generation blocks no other.
        holdGeneration(client),
        instanceNo === null
          ? null
          : client.query("select 1 from instances where instance_no = $1 for key share", [
              instanceNo,
            ]),
        lockedResourceIds.length === 0
          ? null
          : client.query(
              `select id from resources where id = any($1::text[]) order by id collate "C" for no key update`,
              [textArray(lockedResourceIds)],
            ),
        // Before the reads: a resource that is not stored yet has no row to lock.
        lockOrder(client, orderLocks, resourceIds.map(ownerLock)),
        lists(client, RESOURCES, [textArray(resourceIds)]),
        lists(client, WEBHOOKS, [textArray(resourceIds)]),
        // After the locks: a later call about the same buyer gets a later number.
        client.query(
          `select string_agg(nextval('mh_numbers')::text, ',') as numbers, mh_now() as now,
             (select string_agg(no::text, ',' order by no) from key_generations) as generations
           from generate_series(1, $1::int)`,
          [items.length],
        ),
      ]);
      generations = numberList(taken.rows[0]?.["generations"]);
      locked = new Set(changingRows?.rows.map((row) => String(row["id"])));
      return {
        held: instance === null || instance.rows.length > 0,
        now: Number(taken.rows[0]?.["now"] ?? 0),
        resources: resources.map(resourceRow),
        webhooks: webhooks.map(fanOutRow),
        numbers: numberList(taken.rows[0]?.["numbers"]).sort((a, b) => a - b),
      };
    },

    claimKeys: async (rows) => await claimKeys(client, generations, rows),

    async payloads(eventSeqs) {
      const rows = await lists(
        client,
        "select seq, payload from events where seq = any($1::bigint[])",
        [int8Array(eventSeqs)],
      );
      return new Map(rows.map(([seq, payload]) => [Number(seq), String(payload)]));
    },

    async claimDedupeKeys(rows) {
      const arrays = DEDUPE_KEYS.arrays(rows);
      const inserted = await client.query(
        `insert into first_downloads (${DEDUPE_KEYS.names})
         select ${DEDUPE_KEYS.unnested} on conflict do nothing`,
        arrays,
      );
      if (inserted.rowCount === rows.length) return [];
      const known = await client.query(
        "select dedupe_key, event_seq, tag from first_downloads where dedupe_key = any($1::text[]) and event_seq <> all($2::bigint[])",
        arrays.slice(0, 2),
      );
      return known.rows.map((row) => ({
        dedupeKey: String(row["dedupe_key"]),
        eventSeq: Number(row["event_seq"]),
        tag: String(row["tag"]),
      }));
    },

    dropKeys: async (keys) => await dropKeys(client, generations, keys),

    async dropDedupeKeys(dedupeKeys) {
      await client.query("delete from first_downloads where dedupe_key = any($1)", [dedupeKeys]);
    },

    async busy(pairs) {
      const { rows } = await client.query(
        // Not "exists": a plan made while the tables were small would read whole tables each time.
        `select ${PAIRS.names} from (select ${PAIRS.unnested}) as i (${PAIRS.names})
         where (select 1 from leased d where d.webhook_no = i.webhook_no and d.order_key = i.order_key limit 1) is not null
            or (select 1 from pending d where d.webhook_no = i.webhook_no and d.order_key = i.order_key limit 1) is not null`,
        PAIRS.arrays(pairs),
      );
      return rows.map((row) => ({
        webhookNo: Number(row["webhook_no"]),
        orderKey: Number(row["order_key"]),
      }));
    },

    write(rows) {
      last.push(...writes(client, rows, locked));
    },
  };
}

/** Rows as lists of their columns: if each event has its own row, objects cost more. */
async function lists(client: PoolClient, text: string, values: Buffer[]): Promise<unknown[][]> {
  const { rows } = await client.query<unknown[]>({ text, values, rowMode: "array" });
  return rows;
}

/** Writes to the write-ahead log and to nothing else. */
const LOG_ENTRY = "select pg_logical_emit_message(true, 'markethook', '')";

/** Until the transaction ends: takes each order lock alone, and then shares the owners' locks, whose numbers are negative. */
function lockOrder(
  client: PoolClient,
  orderLocks: readonly number[],
  ownerLocks: readonly number[],
) {
  return client.query(
    `select count(*) from (
       select case when lock < 0 then pg_advisory_xact_lock_shared(lock) else pg_advisory_xact_lock(lock) end
       from unnest($1::bigint[]) lock) as held`,
    [int8Array([...lockingOrder(orderLocks), ...lockingOrder(ownerLocks)])],
  );
}

/**
 * True for the error of a resource that is new to two transactions at once: it has no row that they could lock, so each
 * inserts it without "on conflict". The later one fails, and can be repeated with the row of the other.
 */
export function isNewToBoth(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof DatabaseError && cause.constraint === "resources_pkey";
}

const UPDATE_KNOWN = `on conflict (id) do update set owner_id = excluded.owner_id, title = excluded.title,
  subtitle = excluded.subtitle, file_version = excluded.file_version,
  updated_at = excluded.updated_at, deleted_at = null`;

async function putResources(
  client: PoolClient,
  resources: AcceptWrites["resources"],
  now: number,
  onConflict: string,
): Promise<unknown> {
  return await client.query(
    `insert into resources (${RESOURCE_COLUMNS}, created_at, updated_at)
     select ${RESOURCE_COLUMNS}, $6, $6
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as i (${RESOURCE_COLUMNS})
     order by id collate "C" ${onConflict}`,
    [
      resources.map((row) => row.id),
      resources.map((row) => row.ownerId),
      resources.map((row) => row.title),
      resources.map((row) => row.subtitle),
      resources.map((row) => (row.fileVersion === null ? null : JSON.stringify(row.fileVersion))),
      now,
    ],
  );
}

function writes(
  client: PoolClient,
  rows: AcceptWrites,
  locked: ReadonlySet<string>,
): Promise<unknown>[] {
  const flight: Promise<unknown>[] = [];
  const { now } = rows;
  const added = rows.resources.filter(({ id }) => !locked.has(id));
  const known = rows.resources.filter(({ id }) => locked.has(id));
  if (added.length > 0) flight.push(putResources(client, added, now, ""));
  if (known.length > 0) flight.push(putResources(client, known, now, UPDATE_KNOWN));
  // Duplicates are answered as stored. The commit of the first report may still lack its standby, as after a time limit, and
  // only a commit that writes to the log waits for standbys.
  if (rows.events.length === 0) flight.push(client.query(LOG_ENTRY));
  if (rows.events.length > 0) {
    flight.push(
      client.query(
        `insert into events (${EVENTS.names}, accepted_at, touched_at)
         select ${EVENTS.unnested}, $9::bigint, $9::bigint`,
        [...EVENTS.arrays(rows.events), now],
      ),
    );
  }
  if (rows.leased.length > 0) {
    flight.push(
      client.query(
        `insert into leased (${LEASED.names}, instance_no, lease, created_at)
         select ${LEASED.unnested}, $6::bigint, $7::int, $8::bigint`,
        [...LEASED.arrays(rows.leased), rows.instanceNo, rows.lease, now],
      ),
    );
  }
  if (rows.pending.length > 0) {
    flight.push(
      client.query(
        `insert into pending (${PENDING.names}, lease, due_at, created_at)
         select i.*, $8::int, $7::bigint + i.blocked * 1000, $7::bigint
         from (select ${PENDING.unnested}) as i (${PENDING.names})`,
        [...PENDING.arrays(rows.pending), now, rows.lease],
      ),
    );
  }
  return flight;
}

import { DatabaseSync } from "node:sqlite";
import { parseEventId } from "@markethook/protocol";
import { execute } from "@markethook/store/testing/postgres";

/** An idempotency key of the marketplace's, and the event that it stands for. */
export interface StandsFor {
  key: string;
  eventId: string;
}

/** Of the schemas that were released, those that a database of today can be turned back into. */
export const EARLIER = [1, 2, 3, 4, 5, 6, 7] as const;
export type Earlier = (typeof EARLIER)[number];

const REPLIES = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, "slower"];
const NEW_COLUMNS = ["given_up", ...REPLIES.map((upTo) => `replies_${upTo}`)];
/** What `0003-reply-times` made. */
const WITHOUT_REPLY_TIMES = [
  ...NEW_COLUMNS.map((name) => `alter table attempt_counts drop column ${name}`),
  "drop table attempt_history",
];

/** What `0004-notices-by-owner` made. */
const WITHOUT_NOTICE_INDEXES = ["drop index notices_by_owner", "drop index notices_by_webhook"];

/** What `0006-deleted-webhooks` made. */
const WITHOUT_DELETED_INDEXES = [
  "drop index deleted_webhooks_by_owner",
  "drop index deleted_webhooks_by_resource",
];

/** What `0007-included-details` made. */
const WITHOUT_INCLUDED_DETAILS = ["alter table webhooks drop column include_details"];

/** What `0008-suspected-network` made. */
const WITHOUT_SUSPECTED_NETWORK = ["alter table instances drop column network_suspected"];

/** What `0005-notices-in-order` made, and what it dropped. */
const WITH_WRITERS_POSTGRES = [
  "drop trigger mark_notice_numbers on notices",
  "drop function mh_mark_notice_numbers, mh_settled_notices",
  `create function mh_oldest_running() returns bigint language sql volatile as
     $$ select pg_snapshot_xmin(pg_current_snapshot())::text::bigint $$`,
  `alter table notices add column written_by bigint not null
     default pg_current_xact_id()::text::bigint`,
];
const WITH_WRITERS_SQLITE = [
  "alter table notices add column written_by integer not null default 0",
];

/**
 * What `0002-key-generations` made. Keys are hashed since then, so they come from the marketplace, and without the hash of
 * their report's body, as of an event that was erased.
 */
const withoutGenerations = (integer: string): string[] => [
  "drop table key_generations",
  "drop table idempotency_keys",
  `create table idempotency_keys (
     key text primary key,
     body_hash text not null,
     event_seq ${integer} not null,
     tag text not null,
     created_at ${integer} not null
   )`,
  "create index idempotency_keys_by_age on idempotency_keys (created_at)",
];

/** Leaves a database as an earlier version would have. Nobody uses it meanwhile. */
export async function turnBackPostgres(
  url: string,
  schema: Earlier,
  resourceId: string,
  keys: readonly StandsFor[],
): Promise<void> {
  const statements = [
    "begin",
    ...WITHOUT_SUSPECTED_NETWORK,
    ...(schema < 7 ? WITHOUT_INCLUDED_DETAILS : []),
    ...(schema < 6 ? WITHOUT_DELETED_INDEXES : []),
    ...(schema < 5 ? WITH_WRITERS_POSTGRES : []),
    ...(schema < 4 ? WITHOUT_NOTICE_INDEXES : []),
    ...(schema < 3 ? WITHOUT_REPLY_TIMES : []),
    ...(schema === 1 ? withoutGenerations("bigint") : []),
    `delete from schema_version where version > ${schema}`,
  ];
  if (schema === 1) {
    const rows = JSON.stringify(keys.map((one) => rowOf(one, resourceId)));
    // A promotion may have lost some of the events. The keys are our own, without quotes.
    statements.push(
      `insert into idempotency_keys (key, body_hash, event_seq, tag, created_at)
       select k.key, '', e.seq, e.tag, mh_now()
       from json_to_recordset('${rows}') as k (key text, seq bigint, tag text) join events e using (seq, tag)`,
    );
  }
  await execute(url, [...statements, "commit"].join("; "));
}

export function turnBackSqlite(
  file: string,
  schema: Earlier,
  resourceId: string,
  keys: readonly StandsFor[],
): void {
  const db = new DatabaseSync(file);
  const undone = [
    ...WITHOUT_SUSPECTED_NETWORK,
    ...(schema < 7 ? WITHOUT_INCLUDED_DETAILS : []),
    ...(schema < 6 ? WITHOUT_DELETED_INDEXES : []),
    ...(schema < 5 ? WITH_WRITERS_SQLITE : []),
    ...(schema < 4 ? WITHOUT_NOTICE_INDEXES : []),
    ...(schema < 3 ? WITHOUT_REPLY_TIMES : []),
  ];
  db.exec(`begin; ${undone.join("; ")}; pragma user_version = ${schema}`);
  if (schema === 1) {
    db.exec(["drop table new_keys", ...withoutGenerations("integer")].join("; "));
    const insert = db.prepare(
      "insert into idempotency_keys (key, body_hash, event_seq, tag, created_at) values (?, '', ?, ?, ?)",
    );
    for (const one of keys) {
      const { key, seq, tag } = rowOf(one, resourceId);
      insert.run(key, seq, tag, Date.now());
    }
  }
  db.exec("commit");
  db.close();
}

function rowOf({ key, eventId }: StandsFor, resourceId: string) {
  const { seq, tag } = parseEventId(eventId) ?? { seq: 0, tag: "" };
  return { key: `r:${key}:${resourceId}`, seq, tag };
}

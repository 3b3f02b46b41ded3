import type { Pool } from "pg";
import { runBriefly } from "./connection.ts";

/** A locked table must not block the trial for long. */
const LIMIT_MS = 1000;
/** 64 kB that do not compress: a full disk shows when a table has to grow. */
const PAYLOAD = "(select string_agg(md5(random()::text), '') from generate_series(1, 2000))";

/** Writes a row to each table that accepting writes to, and reads those that it reads. */
const TRIAL = `with n as materialized (select mh_next() as seq, mh_now() as now, ${PAYLOAD} as payload),
  k as (insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
        select 0, convert_to('trial:' || seq, 'UTF8'), '', seq, '' from n),
  f as (insert into first_downloads (dedupe_key, event_seq, tag) select 'trial:' || seq, seq, '' from n),
  e as (insert into events (seq, tag, resource_id, kind, time, payload, accepted_at, touched_at)
        select seq, '', '', 1, 0, payload, now, now from n),
  l as (insert into leased (seq, event_seq, webhook_no, kind, instance_no, created_at)
        select seq * 128, seq, 0, 1, 0, now from n),
  w as (insert into pending (seq, event_seq, webhook_no, kind, due_at, created_at)
        select seq * 128, seq, 0, 1, now, now from n)
  select 1 from resources, webhooks, instances, key_generations limit 1`;

/** See `Maintenance.tryAccept`. */
export async function tryAccept(pool: Pool): Promise<void> {
  await runBriefly(pool, ["begin", "rollback"], LIMIT_MS, TRIAL);
}

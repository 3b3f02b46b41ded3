import type { PoolClient } from "pg";
import { int8Array } from "./binary-array.ts";

/** Begins to make waiting deliveries of recovered webhooks due. Does nothing if none waits, or it has begun already. */
export async function beginPulls(client: PoolClient, webhookNos: readonly number[]): Promise<void> {
  await client.query(
    `insert into pulls (webhook_no, by_person, began_at, next_at, after_due_at, after_seq)
     select no, 0, clock.now, clock.now, clock.now, 0
     from unnest($1::bigint[]) no, (select mh_now() as now) clock
     where exists (select 1 from pending where webhook_no = no and due_at > clock.now)
     order by no
     on conflict (webhook_no) do nothing`,
    [int8Array(webhookNos)],
  );
}

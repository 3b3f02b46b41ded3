import type { PoolClient } from "pg";

/** A webhook has recovered: its waiting deliveries shall be made due. Nothing where none waits, or that goes on already. */
export async function beginPull(client: PoolClient, webhookNo: number): Promise<void> {
  await client.query(
    `insert into pulls (webhook_no, by_person, began_at, next_at, after_due_at, after_seq)
     select $1, 0, clock.now, clock.now, clock.now, 0 from (select mh_now() as now) clock
     where exists (select 1 from waiting where webhook_no = $1 and due_at > clock.now)
     on conflict (webhook_no) do nothing`,
    [webhookNo],
  );
}

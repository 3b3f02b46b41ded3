import type { Connection } from "./connection.ts";

/** Begins to make waiting deliveries of recovered webhooks due. Does nothing if none waits, or it has begun already. */
export function beginPulls(db: Connection, webhookNos: readonly number[], now: number): void {
  db.run(
    `insert into pulls (webhook_no, by_person, began_at, next_at, after_due_at, after_seq)
     select value, 0, ?2, ?2, ?2, 0 from json_each(?1)
     where exists (select 1 from pending where webhook_no = value and due_at > ?2)
     on conflict (webhook_no) do nothing`,
    JSON.stringify(webhookNos),
    now,
  );
}

import type { Connection } from "./connection.ts";

/** A webhook has recovered: its waiting deliveries shall be made due. Nothing where none waits, or that goes on already. */
export function beginPull(db: Connection, webhookNo: number, now: number): void {
  db.run(
    `insert into pulls (webhook_no, by_person, began_at, next_at, after_due_at, after_seq)
     select ?1, 0, ?2, ?2, ?2, 0 where exists (select 1 from waiting where webhook_no = ?1 and due_at > ?2)
     on conflict (webhook_no) do nothing`,
    webhookNo,
    now,
  );
}

import type { Connection } from "./connection.ts";

/** Writes a row to each table that accepting writes to. */
const trial = (seq: number, now: number): string => `
insert into new_keys (key, body_hash, event_seq, tag) values (randomblob(16), x'', ${seq}, '');
insert into first_downloads (dedupe_key, event_seq, tag) values ('trial:${seq}', ${seq}, '');
insert into events (seq, tag, resource_id, kind, time, payload, accepted_at, touched_at)
  values (${seq}, '', '', 1, 0, '{}', ${now}, ${now});
insert into leased (seq, event_seq, webhook_no, kind, instance_no, created_at)
  values (${seq * 128}, ${seq}, 0, 1, 0, ${now});
insert into pending (seq, event_seq, webhook_no, kind, due_at, created_at)
  values (${seq * 128}, ${seq}, 0, 1, ${now}, ${now});`;

/** See `Maintenance.tryAccept`. */
export function tryAccept(db: Connection): void {
  const [seq = 0] = db.takeNumbers(1);
  db.begin();
  try {
    db.exec(trial(seq, db.now()));
  } finally {
    db.rollback();
  }
  // A rolled back write never reaches the disk, and a full disk shows only when the log has to grow.
  const note = (value: string): void =>
    db.transaction(() =>
      db.write(
        `insert into meta (key, value) values ('checked', ${value})
         on conflict (key) do update set value = excluded.value`,
      ),
    );
  note("hex(randomblob(32768))");
  note("''");
}

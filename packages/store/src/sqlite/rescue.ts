import { endStateNumber } from "../hot/kinds.ts";
import { LOST_ATTEMPT } from "../hot/lost-attempt.ts";
import type { LeaseName, RescueOutcome } from "../port/deliveries.ts";
import type { Connection, Row } from "./connection.ts";

/**
 * Gives back what ended lives held. The instance row goes first: an accept or claim that still runs under it holds
 * that row, so nothing can be leased to a life after it was judged.
 */
export function rescue(
  db: Connection,
  own: number,
  leaseMs: number,
  quarantineAfter: number,
): RescueOutcome {
  return db.transaction(() => {
    const now = db.now();
    const lives = db
      .all(
        "delete from instances where life <> ? and renewed_at < ? returning life",
        own,
        now - leaseMs,
      )
      .map((row) => Number(row["life"]));
    return { lives, ...giveBackOrphans(db, quarantineAfter, now) };
  });
}

/** Frees every lease whose life has no row. */
export function giveBackOrphans(
  db: Connection,
  quarantineAfter: number,
  now: number,
): { rescued: number; quarantined: number } {
  const rows = db.all(
    "delete from live where life not in (select life from instances) returning *",
  );
  let quarantined = 0;
  for (const row of rows) {
    const started = Number(row["started"]) === 1;
    const crashes = Number(row["crashes"]) + (started ? 1 : 0);
    const attempts = Number(row["attempts"]) + (started ? 1 : 0);
    if (started) {
      db.run(
        "insert into attempts (delivery_seq, number, outcome, status, detail) values (?, ?, ?, null, ?)",
        Number(row["seq"]),
        attempts,
        LOST_ATTEMPT.outcome,
        LOST_ATTEMPT.detail(now),
      );
    }
    if (started && crashes >= quarantineAfter) {
      quarantine(db, row, attempts, now);
      quarantined += 1;
    } else {
      waitAgain(db, row, attempts, crashes, now);
    }
  }
  return { rescued: rows.length - quarantined, quarantined };
}

/** Gives back what a life holds, or all but `held` of it: no rescue is counted. */
export function release(db: Connection, life: number, held: readonly LeaseName[] = []): number {
  const now = db.now();
  const rows = db.all(
    `delete from live where life = ? and (seq, lease) not in (select value ->> 0, value ->> 1 from json_each(?)) returning *`,
    life,
    JSON.stringify(held.map(({ seq, lease }) => [seq, lease])),
  );
  for (const row of rows) {
    waitAgain(
      db,
      { ...row, rescues: Number(row["rescues"]) - 1 },
      Number(row["attempts"]),
      Number(row["crashes"]),
      now,
    );
  }
  return rows.length;
}

function waitAgain(db: Connection, row: Row, attempts: number, crashes: number, now: number): void {
  db.run(
    `insert into waiting (seq, event_seq, webhook_no, kind, order_key, lease, due_at, attempts, step, throttled, rescues, crashes, origin, created_at, planned_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    Number(row["seq"]),
    Number(row["event_seq"]),
    Number(row["webhook_no"]),
    Number(row["kind"]),
    row["order_key"] as number | null,
    Number(row["lease"]),
    now,
    attempts,
    Number(row["step"]),
    Number(row["throttled"]),
    Number(row["rescues"]) + 1,
    crashes,
    Number(row["origin"]),
    Number(row["created_at"]),
    row["planned_at"] as number | null,
  );
}

function quarantine(db: Connection, row: Row, attempts: number, now: number): void {
  db.run(
    `insert into done (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, status, origin, created_at, ended_at)
     values (?, ?, ?, ?, ?, ?, 'quarantined', ?, ?, null, ?, ?, ?)`,
    Number(row["seq"]),
    Number(row["event_seq"]),
    Number(row["webhook_no"]),
    Number(row["kind"]),
    row["order_key"] as number | null,
    endStateNumber("dead"),
    attempts,
    LOST_ATTEMPT.outcome,
    Number(row["origin"]),
    Number(row["created_at"]),
    now,
  );
  db.run(
    `insert into notices (kind, owner_id, resource_id, webhook_id, detail, created_at)
     select 'delivery_quarantined', owner_id, resource_id, id, ?, ? from webhooks where no = ?`,
    JSON.stringify({ delivery: Number(row["seq"]) }),
    now,
    Number(row["webhook_no"]),
  );
}

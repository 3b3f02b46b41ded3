import { deliveryId } from "@markethook/protocol";
import { healthyAfterMs, judgeMarked, UNKNOWN_OUTCOME } from "../hot/suspicion.ts";
import type { InstanceBeat, LeaseName, RescueOutcome } from "../port/deliveries.ts";
import type { Connection, Row } from "./connection.ts";

/** An impossible number is read as the largest or smallest safe one. */
const asRead = (column: string): string =>
  `min(max(${column}, ${Number.MIN_SAFE_INTEGER}), ${Number.MAX_SAFE_INTEGER})`;

/**
 * Gives back the deliveries of ended instances. The instance row is deleted first: an accept or claim that still runs
 * under it has a lock on that row, so nothing can be leased to an instance after it was judged.
 */
export function rescue(db: Connection, silent: readonly InstanceBeat[]): RescueOutcome {
  return db.transaction(() => {
    const now = db.now();
    const ended = silent.flatMap(({ instanceNo, renewedAt }) =>
      db.all(
        `delete from instances where instance_no = ? and ${asRead("renewed_at")} = ? returning instance_no, survived`,
        instanceNo,
        renewedAt,
      ),
    );
    const survived = ended.filter((row) => row["survived"] === 1).map(instanceNoOf);
    return { ...giveBackOrphans(db, survived, now), instanceNos: ended.map(instanceNoOf) };
  });
}

function instanceNoOf(row: Row): number {
  return Number(row["instance_no"]);
}

/**
 * Frees every lease whose instance row was deleted. `survived`: instances whose process goes on; their deliveries are
 * no suspects.
 */
export function giveBackOrphans(
  db: Connection,
  survived: readonly number[],
  now: number,
): RescueOutcome {
  const orphaned = "from leased where instance_no not in (select instance_no from instances)";
  const rows = db.all(`select * ${orphaned}`);
  const suspects = rows.filter((row) => !survived.includes(instanceNoOf(row)));
  const marked = new Map(
    judgeMarked(
      suspects
        .filter((row) => Number(row["started"]) === 1)
        .map((row) => ({
          seq: Number(row["seq"]),
          instanceNo: instanceNoOf(row),
          suspicion: Number(row["suspicion"]),
        })),
    ).map((verdict) => [verdict.seq, verdict]),
  );
  const levels = new Map<number, number>();
  for (const row of suspects) {
    const [seq, before] = [Number(row["seq"]), Number(row["suspicion"])];
    const verdict = marked.get(seq);
    const level = verdict?.suspicion ?? Math.max(1, before);
    levels.set(level, (levels.get(level) ?? 0) + 1);
    const suspectedIn = level > before ? instanceNoOf(row) : null;
    const dueAt = now + (verdict?.delayMs ?? 0);
    db.write(
      waitAgain("from leased where seq = ?"),
      dueAt,
      verdict === undefined ? 0 : 1,
      level,
      suspectedIn,
      seq,
    );
    if (verdict !== undefined) saveLostAttempt(db, row, now);
    if (verdict?.quarantined === true) tellOfQuarantine(db, row, now);
  }
  // The others, which are no suspects.
  db.write(waitAgain(orphaned), now, 0, null, null);
  db.run(`delete ${orphaned}`);
  // Not spread into a call, which takes only so many values: after a kill all of a large queue is among them.
  const newest = suspects.reduce((most, row) => Math.max(most, instanceNoOf(row)), -Infinity);
  if (suspects.length > 0) noteUncleanEnd(db, newest, now);
  return {
    instanceNos: [],
    rescued: rows.length,
    suspects: [...levels]
      .map(([level, count]) => ({ level, count }))
      .sort((a, b) => a.level - b.level),
    quarantined: [...marked.values()].filter((one) => one.quarantined).length,
  };
}

/** Gives back an instance's deliveries, except `held`. None becomes a suspect. */
export function release(
  db: Connection,
  instanceNo: number,
  held: readonly LeaseName[] = [],
): number {
  const forgotten =
    "from leased where instance_no = ? and (seq, lease) not in (select value ->> 0, value ->> 1 from json_each(?))";
  const values = [instanceNo, JSON.stringify(held.map(({ seq, lease }) => [seq, lease]))];
  db.write(waitAgain(forgotten), db.now(), 0, null, null, ...values);
  return db.run(`delete ${forgotten}`, ...values);
}

/** A delivery keeps its turn and its place in the schedule. A level of null: as before. */
function waitAgain(leased: string): string {
  return `insert into pending (seq, event_seq, webhook_no, kind, order_key, lease, due_at, attempts, step, throttled, suspicion, suspected_in, origin, created_at, planned_at)
    select ${asRead("seq")}, event_seq, webhook_no, kind, order_key, lease, ?, attempts + ?, step, throttled, coalesce(?, suspicion), ?, origin, created_at, planned_at
    ${leased} on conflict do nothing`;
}

function saveLostAttempt(db: Connection, row: Row, now: number): void {
  db.run(
    "insert into attempts (delivery_seq, number, outcome, status, detail) values (?, ?, ?, null, ?) on conflict do nothing",
    Number(row["seq"]),
    Number(row["attempts"]) + 1,
    UNKNOWN_OUTCOME.outcome,
    UNKNOWN_OUTCOME.detail(now),
  );
}

function tellOfQuarantine(db: Connection, row: Row, now: number): void {
  const event = db.get("select tag from events where seq = ?", Number(row["event_seq"]));
  if (event === undefined) return;
  db.run(
    `insert into notices (kind, owner_id, resource_id, webhook_id, detail, created_at)
     select 'delivery_quarantined', owner_id, resource_id, id, ?, ? from webhooks where no = ?`,
    JSON.stringify({
      deliveryId: deliveryId({ seq: Number(row["seq"]), tag: String(event["tag"]) }),
    }),
    now,
    Number(row["webhook_no"]),
  );
}

function noteUncleanEnd(db: Connection, instanceNo: number, now: number): void {
  const at = Number(db.get("select at from unclean_end")?.["at"]);
  db.run(
    "update unclean_end set instance_no = ?, before_at = at, at = ?, healthy_at = ?",
    instanceNo,
    now,
    now + healthyAfterMs(now - at),
  );
}

/** Reverts the levels that an instance's end gave, because its process goes on. */
export function undoUncleanEnd(db: Connection, instanceNo: number): void {
  db.run(
    "update pending set suspicion = max(suspicion - 1, 0), suspected_in = null where suspected_in = ?",
    instanceNo,
  );
  db.run(
    "update unclean_end set at = before_at, healthy_at = min(healthy_at, before_at + ?) where instance_no = ?",
    healthyAfterMs(0),
    instanceNo,
  );
}

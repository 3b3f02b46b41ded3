import type { Maintenance } from "../../port/administration.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { padded } from "../padded.ts";

/** A clock that is corrected slowly moves by less. Nothing stands still for longer than this. */
const TOLERANCE_MS = 1000;
/** The steps that make deliveries due are closer together. */
const LONGEST_STEP_MS = 60_000;

/**
 * Finds deliveries that seem to be made in the future. See `Maintenance.followClock`. It looks for them at the first call and
 * after the clock was set back only: each look reads past the dead rows that an old snapshot keeps.
 */
export function createFollowClock({
  transact,
  reader,
  deliveriesReady,
}: ManagementContext): Maintenance["followClock"] {
  /** Only reads, as there is nearly always nothing to do. */
  async function isAhead(limit: number): Promise<boolean> {
    const now = await databaseNow(reader);
    const newest = reader
      .selectFrom("pending")
      .select("created_at")
      .orderBy("seq", "desc")
      .limit(limit);
    const delivery = await reader
      .selectFrom(newest.as("newest"))
      .select("created_at")
      .where("created_at", ">", now + TOLERANCE_MS)
      .limit(1)
      .executeTakeFirst();
    if (delivery !== undefined) return true;
    const pull = await reader
      .selectFrom("pulls")
      .select("webhook_no")
      .where(({ eb, or }) =>
        or([eb("began_at", ">", now + TOLERANCE_MS), eb("next_at", ">", now + LONGEST_STEP_MS)]),
      )
      .limit(1)
      .executeTakeFirst();
    return pull !== undefined;
  }

  /** The next rows below this number, the newest first. Null: none of them is of the future. */
  async function step(beforeSeq: number, limit: number) {
    return await transact(async (trx) => {
      const now = await databaseNow(trx);
      // Their positions are due times, which move now: they begin again.
      const again = { began_at: now, next_at: now, after_due_at: now, after_seq: 0 };
      await trx.updateTable("pulls").set(again).execute();
      const rows = await trx
        .selectFrom("pending")
        .select(["seq", "created_at"])
        .where("seq", "<", beforeSeq)
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      const ahead = rows.filter((row) => row.created_at > now + TOLERANCE_MS);
      if (ahead.length === 0) return null;
      await trx
        .updateTable("pending")
        .set(({ eb, ref }) => {
          // A time before that of its making was set after the clock was set back.
          const moved = (column: "due_at" | "planned_at" | "asked_until") => {
            const time = ref(column).$castTo<number>();
            return eb
              .case()
              .when(time, ">=", ref("created_at"))
              .then(eb(eb(time, "-", ref("created_at")), "+", now))
              .else(time)
              .end();
          };
          return {
            due_at: moved("due_at"),
            planned_at: moved("planned_at"),
            asked_until: moved("asked_until"),
            created_at: now,
          };
        })
        .where("seq", "in", padded(ahead.map(({ seq }) => seq)))
        .where("created_at", ">", now + TOLERANCE_MS)
        .execute();
      return {
        moved: ahead.length,
        byMs: Math.max(...ahead.map((row) => row.created_at - now)),
        last: rows.at(-1)?.seq ?? 0,
      };
    });
  }

  /** By how much the database's clock was ahead of the monotonic one when all was in order. */
  let lead = Infinity;

  return async (limit) => {
    let [moved, byMs] = [0, 0];
    const leadNow = (await databaseNow(reader)) - performance.now();
    const wasSetBack = leadNow < lead - TOLERANCE_MS;
    if (!wasSetBack || !(await isAhead(limit))) {
      lead = leadNow;
      return { moved, byMs };
    }
    let found = await step(Number.MAX_SAFE_INTEGER, limit);
    while (found !== null) {
      moved += found.moved;
      byMs = Math.max(byMs, found.byMs);
      found = await step(found.last, limit);
    }
    lead = leadNow;
    if (moved > 0) deliveriesReady();
    return { moved, byMs };
  };
}

import type { Kysely } from "kysely";
import type { Maintenance } from "../../port/administration.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import type { Tables } from "../../tables.ts";
import { padded } from "../padded.ts";

/** A clock that is corrected slowly moves by less. Nothing stands still for longer than this. */
const TOLERANCE_MS = 1000;
/** An earlier process may have stored deliveries with the right clock, and was killed before it looked. */
const FIRST_LOOK_MS = 600_000;
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
  /**
   * Returns the number below which the newest of them is; null: there is none. Passes those that were made since the last
   * look, with a clock that was right. Only reads, as there is nearly always nothing to do.
   */
  async function findAhead(sinceMs: number, limit: number): Promise<number | null> {
    const now = await databaseNow(reader);
    const pull = await reader
      .selectFrom("pulls")
      .select("webhook_no")
      .where(({ eb, or }) =>
        or([eb("began_at", ">", now + TOLERANCE_MS), eb("next_at", ">", now + LONGEST_STEP_MS)]),
      )
      .limit(1)
      .executeTakeFirst();
    for (let below = Number.MAX_SAFE_INTEGER; ;) {
      const rows = await newest(reader, below, limit);
      if (rows.some((row) => row.created_at > now + TOLERANCE_MS)) return below;
      const last = rows.at(-1);
      if (last === undefined || last.created_at < now - sinceMs - TOLERANCE_MS)
        return pull === undefined ? null : below;
      below = last.seq;
    }
  }

  /** The next rows below this number, the newest first. Null: none of them is of the future. */
  async function step(below: number, limit: number) {
    return await transact(async (trx) => {
      const now = await databaseNow(trx);
      // Their positions are due times, which move now: they begin again.
      const again = { began_at: now, next_at: now, after_due_at: now, after_seq: 0 };
      await trx.updateTable("pulls").set(again).execute();
      const rows = await newest(trx, below, limit);
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

  /** By how much the database's clock was ahead of the monotonic one when all was in order, and when that was. */
  let [lead, lookedAt] = [Infinity, performance.now() - FIRST_LOOK_MS];

  return async (limit) => {
    let [moved, byMs] = [0, 0];
    const at = performance.now();
    const leadNow = (await databaseNow(reader)) - performance.now();
    if (leadNow < lead - TOLERANCE_MS) {
      let below = await findAhead(at - lookedAt, limit);
      while (below !== null) {
        const found = await step(below, limit);
        moved += found?.moved ?? 0;
        byMs = Math.max(byMs, found?.byMs ?? 0);
        below = found?.last ?? null;
      }
    }
    [lead, lookedAt] = [leadNow, at];
    if (moved > 0) deliveriesReady();
    return { moved, byMs };
  };
}

/** The next waiting deliveries below this number. */
async function newest(db: Kysely<Tables>, below: number, limit: number) {
  return await db
    .selectFrom("pending")
    .select(["seq", "created_at"])
    .where("seq", "<", below)
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
}

import { jsonObject } from "@markethook/protocol";
import type { Kysely, Selectable, Transaction } from "kysely";
import { endStateNumber } from "../../hot/kinds.ts";
import type { AttemptDetail } from "../../port/deliveries.ts";
import { countRows } from "../count-rows.ts";
import { ofEvents } from "../log/delivery-rows.ts";
import { USER_ERASED } from "../../port/erasure.ts";
import type { Tables } from "../../tables.ts";

/** Number of rows in one statement. */
const TOGETHER = 200;

/**
 * Removes the user from these events and from everything that belongs to them. The events' rows are locked first, so
 * that no call sends one again meanwhile. Waiting deliveries are cancelled. An event with a leased delivery is left for
 * later: its instance cancels it, or its request is open and the receiver's answer is still to be stored.
 */
export async function eraseEvents(
  trx: Transaction<Tables>,
  userId: number,
  seqs: readonly number[],
  now: number,
) {
  if (seqs.length === 0) return { events: 0, deliveries: 0, cancelled: 0, openSeqs: [] };
  const events = await trx
    .updateTable("events")
    .set((eb) => ({ touched_at: eb.ref("touched_at") }))
    .where("seq", "in", seqs)
    .where("user_id", "=", userId)
    .returningAll()
    .execute();
  const held = events.map((row) => row.seq).sort((a, b) => a - b);
  const { busy, cancelled } = await cancelWaiting(trx, held, now);
  const free = held.filter((seq) => !busy.has(seq));
  const ended = free.length === 0 ? NONE : await eraseDeliveries(trx, free);
  const erased = events.filter((row) => !busy.has(row.seq));
  for (const rows of chunks(erased)) {
    await trx
      .insertInto("events")
      .values(rows.map((row) => Object.assign(row, { payload: withoutUser(row.payload) })))
      .onConflict((conflict) =>
        conflict.column("seq").doUpdateSet((eb) => ({
          payload: eb.ref("excluded.payload"),
          details: null,
          user_id: null,
          erased_at: now,
        })),
      )
      .execute();
  }
  if (free.length > 0)
    await trx.deleteFrom("chat_messages").where("event_seq", "in", free).execute();
  return {
    events: free.length,
    deliveries: ended.deliveries,
    cancelled: cancelled + ended.cancelled,
    /** Events left unchanged, ascending: they have open requests. */
    openSeqs: held.filter((seq) => busy.has(seq)),
  };
}

export async function countDeliveries(
  db: Kysely<Tables>,
  seqs: readonly number[],
): Promise<{ deliveries: number; open: number }> {
  if (seqs.length === 0) return { deliveries: 0, open: 0 };
  const countIn = async (table: "ended" | "leased" | "pending"): Promise<number> =>
    // All of these tables have these columns.
    await countRows(
      db,
      db
        .selectFrom(`${table} as d` as "ended as d")
        .select("d.seq")
        .where(ofEvents(seqs)),
    );
  const ended = await countIn("ended");
  const open = (await countIn("leased")) + (await countIn("pending"));
  return { deliveries: ended + open, open };
}

async function cancelWaiting(
  trx: Transaction<Tables>,
  seqs: readonly number[],
  now: number,
): Promise<{ busy: Set<number>; cancelled: number }> {
  if (seqs.length === 0) return { busy: new Set(), cancelled: 0 };
  // In one statement, because a delivery that moves between the tables meanwhile must not look ended.
  const inTable = (table: "leased" | "pending") =>
    trx
      .selectFrom(`${table} as d` as "leased as d") // All of these tables have these columns.
      .select((eb) => ["d.seq", "d.event_seq", eb.lit(table === "leased" ? 1 : 0).as("leased")])
      .where(ofEvents(seqs));
  const open = await inTable("leased").unionAll(inTable("pending")).execute();
  const busy = new Set(open.filter((row) => row.leased === 1).map((row) => row.event_seq));
  const waiting = open.filter((row) => !busy.has(row.event_seq));
  let cancelled = 0;
  for (const rows of chunks(waiting)) {
    const waitingSeqs = rows.map((row) => row.seq);
    const taken = await trx
      .deleteFrom("pending")
      .where("seq", "in", waitingSeqs)
      .returningAll()
      .execute();
    const gone = new Set(taken.map((row) => row.seq));
    // It was claimed meanwhile.
    for (const row of rows) if (!gone.has(row.seq)) busy.add(row.event_seq);
    if (taken.length > 0) await insertCancelled(trx, taken, now);
    cancelled += taken.length;
  }
  return { busy, cancelled };
}

async function insertCancelled(
  trx: Transaction<Tables>,
  rows: readonly Selectable<Tables["pending"]>[],
  now: number,
): Promise<void> {
  const seqs = rows.map((row) => row.seq);
  const attempts = await trx
    .selectFrom("attempts")
    .select(["delivery_seq", "number", "outcome", "status"])
    .where("delivery_seq", "in", seqs)
    .execute();
  const last = new Map(attempts.map((row) => [`${row.delivery_seq} ${row.number}`, row]));
  await trx
    .insertInto("ended")
    .values(
      rows.map((row) => {
        const attempt = last.get(`${row.seq} ${row.attempts}`);
        return {
          seq: row.seq,
          event_seq: row.event_seq,
          webhook_no: row.webhook_no,
          kind: row.kind,
          order_key: null,
          state: endStateNumber("cancelled"),
          reason: USER_ERASED,
          attempts: row.attempts,
          outcome: attempt?.outcome ?? null,
          status: attempt?.status ?? null,
          origin: row.origin,
          created_at: row.created_at,
          ended_at: now,
          first_attempt: null,
        };
      }),
    )
    // One that has ended already, as after a part of a backup was put back, is erased with the ended ones.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const NONE = { deliveries: 0, cancelled: 0 };

/** Returns how many there are, and how many of them an instance has cancelled for this erasure. */
async function eraseDeliveries(
  trx: Transaction<Tables>,
  eventSeqs: readonly number[],
): Promise<typeof NONE> {
  const done = await trx
    .selectFrom("ended as d")
    .selectAll("d")
    .where(ofEvents(eventSeqs))
    .execute();
  for (const rows of chunks(done)) {
    await trx
      .insertInto("ended")
      .values(
        rows.map((row) => ({
          ...row,
          first_attempt: row.first_attempt === null ? null : withoutBodies(row.first_attempt),
        })),
      )
      .onConflict((conflict) =>
        conflict.column("seq").doUpdateSet((eb) => ({
          order_key: null,
          first_attempt: eb.ref("excluded.first_attempt"),
        })),
      )
      .execute();
    const seqs = rows.map((row) => row.seq);
    const attempts = await trx
      .selectFrom("attempts")
      .selectAll()
      .where("delivery_seq", "in", seqs)
      .execute();
    for (const some of chunks(attempts)) {
      await trx
        .insertInto("attempts")
        .values(some.map((row) => Object.assign(row, { detail: withoutBodies(row.detail) })))
        .onConflict((conflict) =>
          conflict
            .columns(["delivery_seq", "number"])
            .doUpdateSet((eb) => ({ detail: eb.ref("excluded.detail") })),
        )
        .execute();
    }
  }
  const cancelled = done.filter((row) => row.reason === USER_ERASED && row.order_key !== null);
  return { deliveries: done.length, cancelled: cancelled.length };
}

/**
 * Keeps the form of the payload: a receiver's log, compared with ours, still has the same members. Of a damaged one
 * nothing is kept.
 */
function withoutUser(payload: string): string {
  const value = jsonObject(payload) ?? {};
  return JSON.stringify("user" in value ? { ...value, user: { id: 0 } } : value);
}

/**
 * Time, address and duration stay. The request cannot be rebuilt, nor its user guessed from the signature: with the
 * secret there would not be many ids to try.
 */
function withoutBodies(text: string): string {
  const detail = jsonObject(text) as AttemptDetail | null; // Our sender wrote it.
  if (detail === null) return JSON.stringify({ erased: true });
  const { at, profile, url, timestamp, timings } = detail;
  const kept: AttemptDetail = {
    at,
    profile,
    url,
    timestamp,
    nonce: "",
    signature: "",
    erased: true,
    ...(timings === undefined ? {} : { timings }),
  };
  return JSON.stringify(kept);
}

function chunks<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let i = 0; i < rows.length; i += TOGETHER) parts.push(rows.slice(i, i + TOGETHER));
  return parts;
}

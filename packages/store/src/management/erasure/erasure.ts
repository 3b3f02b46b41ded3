import { createHmac } from "node:crypto";
import type { ExpressionBuilder, Kysely } from "kysely";
import { ERASED_HASH } from "../../hot/known-keys.ts";
import { EVERY_OWNER_LOCK } from "../../hot/order-lock.ts";
import type { ErasurePosition, ErasureStep, ErasureStore } from "../../port/erasure.ts";
import type { Tables } from "../../tables.ts";
import type { ActingContext } from "../audit/audit-write.ts";
import { databaseNow, EVERYTHING } from "../context.ts";
import { padded } from "../padded.ts";
import { countDeliveries, eraseEvents } from "./erase-events.ts";

/**
 * How many rows of a table one step reads, and how many events it changes: with a hundred webhooks each, 2,500
 * deliveries.
 */
const EXAMINED = 5000;
const AT_ONCE = 25;
/** Number of keys in one statement, which is a transaction. */
const KEYS_TOGETHER = 1000;
/** No report runs for as long as this: its statements have limits. */
const LONGEST_REPORT_MS = 60_000;

const ERASED = Buffer.from(ERASED_HASH, "hex");

const START: ErasurePosition = { phase: "events", afterSeq: 0, afterKey: "", againFrom: null };
const NOTHING: ErasureStep = {
  events: 0,
  deliveries: 0,
  cancelled: 0,
  open: 0,
  examined: 0,
  next: null,
  again: false,
};

/**
 * events --each window of numbers--> events --the last--> events again, from the first that was left open
 *                                                     --> keys, where none was
 * keys --each window of keys--> keys --the last--> done
 */
export function createErasure(context: ActingContext): ErasureStore {
  const { db, transact, reader, dialect, dedupeSecret, writeAudit } = context;

  /** Stands for the user's id where that must not appear. */
  function subjectOf(userId: number) {
    const name = createHmac("sha256", dedupeSecret).update(`user ${userId}`).digest("base64url");
    return { kind: "user", id: name.slice(0, 22) } as const;
  }

  /**
   * A window without events that are still to come. On PostgreSQL a report takes a number and commits later, and a step
   * must not pass it. So a window that comes near to the newest events waits for the reports that run, and ends before
   * later ones. An erasure ends there: a user who is reported without end must not keep it going.
   */
  async function settledWindow(userId: number, afterSeq: number): Promise<Window> {
    const window = await eventWindow(reader, userId, afterSeq);
    const { endedAt } = window;
    if (endedAt !== null && endedAt < (await databaseNow(reader)) - LONGEST_REPORT_MS)
      return window;
    const [upTo] = await transact(async (trx) => await dialect.takeInOrder(trx, [], 1));
    // A report with a lower number has its lock. One after the other: behind a report that stands still, only those wait
    // that share its lock.
    for (const lock of EVERY_OWNER_LOCK)
      await transact(async (trx) => await dialect.takeInOrder(trx, [lock], 0));
    return await eventWindow(reader, userId, afterSeq, upTo);
  }

  async function eventsStep(userId: number, position: ErasurePosition | null) {
    const from = position ?? START;
    const window = await settledWindow(userId, from.afterSeq);
    if (window.seqs.length === 0 && position !== null)
      return afterEvents(from, window, { ...NOTHING, examined: EXAMINED });
    const erased = await transact(async (trx) => {
      const now = await databaseNow(trx);
      const outcome = await dialect.overwriting(trx, async () => {
        return await eraseEvents(trx, userId, window.seqs, now);
      });
      if (position === null)
        await writeAudit(trx, [{ action: "user.erase", subject: subjectOf(userId) }]);
      return outcome;
    });
    const { openSeqs, ...counts } = erased;
    if (openSeqs.length > 0) context.eventsErasing(openSeqs);
    const firstOpen = openSeqs[0];
    const againFrom = from.againFrom ?? (firstOpen === undefined ? null : firstOpen - 1);
    const step = { ...NOTHING, ...counts, open: openSeqs.length, examined: EXAMINED };
    return afterEvents({ ...from, againFrom }, window, step);
  }

  async function keysStep(from: ErasurePosition): Promise<ErasureStep> {
    // These first, so that keys that move while we walk have no content left.
    if (from.afterKey === "") await dialect.eraseNewKeys(db);
    const after = placeOf(from.afterKey);
    const end = await reader
      .selectFrom("idempotency_keys")
      .select(["generation", "key"])
      .where((eb) =>
        eb(eb.refTuple("generation", "key"), ">", eb.tuple(after.generation, after.key)),
      )
      .orderBy("generation")
      .orderBy("key")
      .offset(EXAMINED - 1)
      .limit(1)
      .executeTakeFirst();
    let query = reader
      .selectFrom("idempotency_keys as k")
      .select(["k.generation", "k.key"])
      .where((eb) =>
        eb(eb.refTuple("k.generation", "k.key"), ">", eb.tuple(after.generation, after.key)),
      )
      .where("k.body_hash", "<>", ERASED)
      // Not a join: as nearly no event is erased, the planner may then read all events for each step.
      .where((eb) => eb(erasedAt(eb), "is not", null))
      // With an order and a limit it reads from the first key to the last one, and not all keys.
      .orderBy("k.generation")
      .orderBy("k.key")
      .limit(EXAMINED);
    if (end !== undefined)
      query = query.where((eb) =>
        eb(eb.refTuple("k.generation", "k.key"), "<=", eb.tuple(end.generation, end.key)),
      );
    const found = Map.groupBy(await query.execute(), ({ generation }) => generation);
    for (const [generation, rows] of found) {
      for (let at = 0; at < rows.length; at += KEYS_TOGETHER) {
        const keys = rows.slice(at, at + KEYS_TOGETHER).map(({ key }) => key);
        await transact(
          async (trx) =>
            await trx
              .updateTable("idempotency_keys")
              .set({ body_hash: ERASED })
              .where("generation", "=", generation)
              .where("key", "in", padded(keys))
              .execute(),
        );
      }
    }
    const next = end === undefined ? null : { ...from, afterKey: textOf(end) };
    return { ...NOTHING, examined: EXAMINED, next };
  }

  return {
    async step(userId, position) {
      return position?.phase === "keys"
        ? await keysStep(position)
        : await eventsStep(userId, position);
    },

    async count(userId, position) {
      const from = position ?? START;
      const window = await eventWindow(reader, userId, from.afterSeq);
      const { deliveries, open } = await countDeliveries(reader, window.seqs);
      const next = window.end === null ? null : { ...from, afterSeq: window.end };
      const events = window.seqs.length;
      return { ...NOTHING, events, deliveries, open, examined: EXAMINED, next };
    },

    async finish(userId, totals) {
      await transact(async (trx) => {
        const after = { ...totals };
        await writeAudit(trx, [{ action: "user.erased", subject: subjectOf(userId), after }]);
      });
      await dialect.emptyLog();
    },
  };
}

interface Window {
  /** Events of the user, ascending. */
  seqs: number[];
  /** Everything up to this number was read; null: there is no more. */
  end: number | null;
  /** When the event at the end was accepted. Null: there is no more. */
  endedAt: number | null;
}

/**
 * There is no index by user: only erasing asks for one user's events over all resources, and an index would cost
 * something for each event.
 */
async function eventWindow(
  db: Kysely<Tables>,
  userId: number,
  afterSeq: number,
  upTo = EVERYTHING,
): Promise<Window> {
  const last = await db
    .selectFrom("events")
    .select(["seq", "accepted_at"])
    .where("seq", ">", afterSeq)
    .where("seq", "<=", upTo)
    .orderBy("seq")
    .offset(EXAMINED - 1)
    .limit(1)
    .executeTakeFirst();
  const query = db
    .selectFrom("events")
    .select(["seq", "accepted_at"])
    .where("seq", ">", afterSeq)
    .where("seq", "<=", last?.seq ?? upTo)
    .where("user_id", "=", userId);
  const rows = await query.orderBy("seq").limit(AT_ONCE).execute();
  const end = rows.length === AT_ONCE ? rows.at(-1) : last;
  const seqs = rows.map(({ seq }) => seq);
  return { seqs, end: end?.seq ?? null, endedAt: end?.accepted_at ?? null };
}

function afterEvents(from: ErasurePosition, { end }: Window, step: ErasureStep): ErasureStep {
  if (end !== null) return { ...step, next: { ...from, afterSeq: end } };
  const { againFrom } = from;
  if (againFrom === null) return { ...step, next: { ...START, phase: "keys" } };
  return { ...step, next: { ...START, afterSeq: againFrom }, again: true };
}

function erasedAt({
  selectFrom,
}: ExpressionBuilder<Tables & { k: Tables["idempotency_keys"] }, "k">) {
  return selectFrom("events as e").select("e.erased_at").whereRef("e.seq", "=", "k.event_seq");
}

interface KeyPlace {
  generation: number;
  key: Uint8Array;
}

function textOf({ generation, key }: KeyPlace): string {
  return `${generation}:${Buffer.from(key).toString("hex")}`;
}

/** Empty: before the first key. */
function placeOf(text: string): KeyPlace {
  const [generation = "", digits = ""] = text.split(":");
  return { generation: text === "" ? -1 : Number(generation), key: Buffer.from(digits, "hex") };
}

import { deliveryId, given, instant, MarkethookError } from "@markethook/protocol";
import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import { endStateNumber, kindOf, originNumber } from "../../hot/kinds.ts";
import { deliveryNumber } from "../../hot/numbers.ts";
import type { EndState } from "../../port/deliveries.ts";
import type { DeliveryLog, ReplayFilter } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { webhookEntry } from "../audit/audit-values.ts";
import type { ActingContext } from "../audit/audit-write.ts";
import { COUNT_CAP, countRows, upToCap } from "../count-rows.ts";
import { findRow, type LogRow } from "../log/delivery-rows.ts";
import { firstNumberAfter, firstNumberFrom, recentNumber } from "../log/log-bounds.ts";
import { bucket, type Range, type Window } from "../log/log-buckets.ts";
import { ofWebhook, oldestPart } from "../log/webhook-parts.ts";
import { replayStep, sendAgain, withEvents } from "./insert-again.ts";
import { outOfOrder } from "./out-of-order.ts";
import { arrivedLater, type EndedOnce, uncountGivenUp } from "./sent-again.ts";
import { padded } from "../padded.ts";
import { ownWebhook } from "../webhooks/webhook-row.ts";

/** How many parts of the log a step reads. */
const MOST_OF_STEP = 16;

/** Sends again as a new delivery of the same event; the old one and its attempts stay unchanged. */
export function createRedelivery(
  context: ActingContext,
): Pick<DeliveryLog, "redeliver" | "countReplay" | "replayStep"> {
  const { transact, reader, dialect, deliveriesReady, writeAudit } = context;
  return {
    async redeliver(id, ownerId, confirmed) {
      const before = confirmed ? NOTHING_READ : await readLater(reader, id, ownerId);
      const madeId = await transact(async (trx) => {
        const ended = await findRow(trx, id, ownerId);
        if (ended === null) throw new MarkethookError("not_found");
        const webhook = await ownWebhook(trx, ended.webhook_id, ownerId);
        if (!hasEnded(ended)) throw new MarkethookError("delivery_not_ended");
        if (ended.origin === originNumber("ping")) throw new MarkethookError("delivery_is_ping");
        // It is null for erased events only.
        if (ended.order_key === null) throw new MarkethookError("event_erased");
        const still = async () => {
          // Under the lock, so that a later event that is being accepted is seen.
          const isLate =
            !confirmed &&
            (before.isLate || (await outOfOrder(trx, webhook.no, [ended], before.recent)).size > 0);
          if (isLate) throw new MarkethookError("redelivery_out_of_order");
          return await takenOff(trx, webhook.no, [ended]);
        };
        const [seq] = await sendAgain(trx, dialect, ended.resource_id, [ended], still);
        if (seq === undefined) throw new MarkethookError("event_erased");
        const after = { deliveryId: deliveryId({ seq, tag: ended.tag }) };
        const entry = webhookEntry(webhook, "delivery.redeliver", { after });
        await writeAudit(trx, [{ ...entry, subject: { kind: "delivery", id } }]);
        return after.deliveryId;
      });
      deliveriesReady();
      return { deliveryId: madeId };
    },

    async countReplay(filter) {
      const webhook = await ownWebhook(reader, filter.webhookId, filter.ownerId);
      let found = 0;
      const range = await numbersBetween(reader, filter);
      for (;;) {
        const part = found > COUNT_CAP ? null : await oldestPart(reader, webhook.no, range);
        if (part === null) break;
        const rows = matching(reader, filter, webhook.no, part).select("d.seq");
        found += await countRows(reader, rows.limit(COUNT_CAP + 1 - found));
        range.above = part.below - 1;
      }
      return upToCap(found);
    },

    async replayStep(filter, afterSeq, limit) {
      const webhook = await ownWebhook(reader, filter.webhookId, filter.ownerId);
      const { found, nextSeq } = await nextMatching(reader, filter, webhook.no, afterSeq, limit);
      const { from, to, states, events } = filter;
      const asked = { from: instant(from), to: instant(to), states, ...given({ events }) };
      const step = { afterSeq, found, nextSeq, asked };
      return await replayStep(
        context,
        webhook,
        step,
        async (trx) => await takenOff(trx, webhook.no, await stillToSend(trx, filter, found)),
      );
    },
  };
}

type Ended = LogRow & { state: number; ended_at: number };

function hasEnded(row: LogRow): row is Ended {
  return row.state !== null;
}

interface Later {
  /** A later event about the same buyer has reached the webhook, or is on its way. */
  isLate: boolean;
  /** Deliveries that are made after this reading have higher numbers. */
  recent: number;
}

const NOTHING_READ: Later = { isLate: false, recent: 0 };

/**
 * Looks for later events about the buyer before the transaction, which then looks at the most recent deliveries only. A
 * webhook may have had millions since, and reports wait for the transaction.
 */
async function readLater(db: Kysely<Tables>, id: string, ownerId: string | null): Promise<Later> {
  const ended = await findRow(db, id, ownerId);
  if (ended === null || !hasEnded(ended)) return NOTHING_READ;
  const recent = await recentNumber(db);
  return { isLate: (await outOfOrder(db, ended.webhook_no, [ended])).size > 0, recent };
}

/** Subtracts deliveries whose events still exist from the count of given-up ones. */
async function takenOff<Row extends EndedOnce>(
  trx: Kysely<Tables>,
  webhookNo: number,
  rows: readonly Row[],
): Promise<Row[]> {
  const kept = await withEvents(trx, rows);
  if (kept.length > 0) await uncountGivenUp(trx, webhookNo, kept);
  return kept;
}

/** The range of numbers of deliveries made in this time. */
async function numbersBetween(
  db: Kysely<Tables>,
  { from, to }: Pick<ReplayFilter, "from" | "to">,
): Promise<Range> {
  return { above: (await firstNumberFrom(db, from)) - 1, below: await firstNumberAfter(db, to) };
}

type Found = Pick<Ended, "seq" | "order_key">;

/** Returns the oldest of them, part by part until there are `limit`; `nextSeq` null: that was the end. */
async function nextMatching(
  db: Kysely<Tables>,
  filter: ReplayFilter,
  webhookNo: number,
  afterSeq: number,
  limit: number,
): Promise<{ found: Found[]; nextSeq: number | null }> {
  const between = await numbersBetween(db, filter);
  const range = { ...between, above: Math.max(afterSeq, between.above ?? 0) };
  const found: Found[] = [];
  for (let parts = 1; ; parts += 1) {
    const part = await oldestPart(db, webhookNo, range);
    if (part === null) return { found, nextSeq: null };
    const rows = await matching(db, filter, webhookNo, part)
      .select(["d.seq", "d.order_key"])
      .orderBy(bucket("ended"))
      .orderBy("d.seq")
      .limit(limit - found.length)
      .execute();
    found.push(...rows);
    if (found.length === limit) return { found, nextSeq: found.at(-1)?.seq ?? null };
    range.above = part.below - 1;
    if (parts === MOST_OF_STEP) return { found, nextSeq: range.above };
  }
}

/** An ended delivery stays ended; but it can have been sent again or pruned meanwhile, or its buyer erased. */
async function stillToSend(
  trx: Kysely<Tables>,
  { states }: ReplayFilter,
  found: readonly Found[],
): Promise<Selectable<Tables["ended"]>[]> {
  const seqs = found.map(({ seq }) => seq);
  return await trx
    .selectFrom("ended as d")
    .selectAll("d")
    .where("d.seq", "in", padded(seqs))
    .where(mayBeSent(states))
    .orderBy("d.seq")
    .execute();
}

/** Not of an erased event. A delivery that has arrived since counts as delivered. */
const mayBeSent =
  (states: readonly EndState[]) => (eb: ExpressionBuilder<{ d: Tables["ended"] } & Tables, "d">) =>
    eb.and([
      eb("d.order_key", "is not", null),
      ...(states.includes("delivered") ? [] : [eb.not(arrivedLater(eb))]),
    ]);

/** A replay leaves out redeliveries, but includes missing deliveries that were made later. */
const firstOfItsEvent = ({
  and,
  eb,
  exists,
  not,
  or,
  selectFrom,
}: ExpressionBuilder<{ d: Tables["ended"] } & Tables, "d">) => {
  const other = selectFrom("ended as o")
    .select("o.seq")
    .whereRef("o.webhook_no", "=", "d.webhook_no");
  const slots = eb.lit(deliveryNumber(1));
  return or([
    eb("d.origin", "=", originNumber("event")),
    and([
      eb("d.origin", "=", originNumber("redelivery")),
      not(
        exists(
          other
            .where("o.seq", ">=", eb("d.event_seq", "*", slots))
            .where("o.seq", "<", eb(eb("d.event_seq", "*", slots), "+", slots)),
        ),
      ),
      not(
        exists(
          other
            .whereRef("o.event_seq", "=", "d.event_seq")
            .where("o.origin", "=", eb.lit(originNumber("redelivery")))
            .whereRef("o.seq", "<", "d.seq"),
        ),
      ),
    ]),
  ]);
};

function matching(db: Kysely<Tables>, filter: ReplayFilter, webhookNo: number, part: Window) {
  const query = ofWebhook(db, webhookNo, part)
    .where("d.created_at", ">=", filter.from)
    .where("d.created_at", "<", filter.to)
    .where(firstOfItsEvent)
    .where(mayBeSent(filter.states))
    .where(({ eb, or }) =>
      or(filter.states.map((state) => eb("d.state", "=", endStateNumber(state)))),
    );
  const { events } = filter;
  if (events === undefined) return query;
  // `in` with an empty list is not SQL; `or` without terms is false.
  return query.where(({ eb, or }) => or(events.map((name) => eb("d.kind", "=", kindOf(name)))));
}

import { deliveryId, MarkethookError } from "@markethook/protocol";
import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import { endStateNumber, kindOf, originNumber } from "../../hot/kinds.ts";
import { deliveryNumber, UPDATE_ORDER_KEY } from "../../hot/numbers.ts";
import { type AuditActor, SYSTEM } from "../../port/audit.ts";
import type { EndState } from "../../port/deliveries.ts";
import type { DeliveryLog, ReplayFilter } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { webhookEntry } from "../audit/audit-values.ts";
import { createAuditWriter } from "../audit/audit-write.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { findRow, type LogRow } from "../log/delivery-rows.ts";
import { firstNumberAfter, firstNumberFrom } from "../log/log-bounds.ts";
import { bucket, inBuckets, oldestBuckets, type Range, type Window } from "../log/log-buckets.ts";
import { insertAgain, orderLockOf, withEvents } from "./insert-again.ts";
import { arrivedLater, uncountGivenUp } from "./sent-again.ts";
import { padded } from "../padded.ts";
import { ownWebhook } from "../webhooks/webhook-row.ts";

const COUNT_CAP = 100_000;

/** Sends again as a new delivery of the same event; the old one and its attempts stay unchanged. */
export function createRedelivery(
  context: ManagementContext,
  actor: AuditActor = SYSTEM,
): Pick<DeliveryLog, "redeliver" | "countReplay" | "replayStep"> {
  const { transact, reader, dialect, deliveriesReady } = context;
  const writeAudit = createAuditWriter(context, actor);
  return {
    async redeliver(id, ownerId, confirmed) {
      const madeId = await transact(async (trx) => {
        const ended = await findRow(trx, id, ownerId);
        if (ended === null) throw new MarkethookError("not_found");
        const webhook = await ownWebhook(trx, ended.webhook_id, ownerId);
        if (!hasEnded(ended)) throw new MarkethookError("delivery_not_ended");
        if (ended.origin === originNumber("ping")) throw new MarkethookError("delivery_is_ping");
        // It is null for erased events only.
        if (ended.order_key === null) throw new MarkethookError("event_erased");
        const [number] = await dialect.takeInOrder(trx, [orderLockOf(ended)], 1);
        // Under the lock, so that a later event that is being accepted is seen.
        if (!confirmed && (await laterWasSent(trx, ended)))
          throw new MarkethookError("redelivery_out_of_order");
        if ((await withEvents(trx, [ended])).length === 0)
          throw new MarkethookError("event_erased");
        const seq = deliveryNumber(number ?? 0);
        const after = { deliveryId: deliveryId({ seq, tag: ended.tag }) };
        await uncountGivenUp(trx, ended.webhook_no, [ended]);
        await insertAgain(trx, [ended], [number ?? 0]);
        const entry = webhookEntry(webhook, "delivery.redeliver", { after });
        const at = await databaseNow(trx);
        await writeAudit(trx, [{ ...entry, at, subject: { kind: "delivery", id } }]);
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
        const window = await oldestBuckets(reader, "ended", range);
        if (window === null || found > COUNT_CAP) break;
        const { count } = await reader
          .selectFrom(
            matching(reader, filter, webhook.no, window)
              .select("d.seq")
              .limit(COUNT_CAP + 1 - found)
              .as("found"),
          )
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        found += Number(count);
        range.above = window.below - 1;
      }
      return { count: Math.min(found, COUNT_CAP), capped: found > COUNT_CAP };
    },

    async replayStep(filter, afterSeq, limit) {
      const webhook = await ownWebhook(reader, filter.webhookId, filter.ownerId);
      const { found, nextSeq } = await nextMatching(reader, filter, webhook.no, afterSeq, limit);
      if (found.length === 0) return { sent: 0, nextSeq };
      const step = await transact(async (trx) => {
        const numbers = await dialect.takeInOrder(
          trx,
          found.map((row) => orderLockOf({ ...row, resource_id: webhook.resource_id })),
          found.length,
        );
        // Under the locks: another replay may have sent some of them.
        const rows = await withEvents(trx, await stillToSend(trx, filter, found));
        if (rows.length > 0) {
          await uncountGivenUp(trx, webhook.no, rows);
          await insertAgain(trx, rows, numbers);
        }
        // Only the first of a replay's steps adds an audit row.
        if (rows.length > 0 && afterSeq === 0) {
          const { from, to, states, events } = filter;
          const after = { from, to, states, ...(events === undefined ? {} : { events }) };
          const entry = webhookEntry(webhook, "webhook.replay", { after });
          await writeAudit(trx, [{ ...entry, at: await databaseNow(trx) }]);
        }
        return { sent: rows.length, nextSeq };
      });
      if (step.sent > 0) deliveriesReady();
      return step;
    },
  };
}

type Ended = LogRow & { state: number; ended_at: number };

function hasEnded(row: LogRow): row is Ended {
  return row.state !== null;
}

/**
 * True if a later delivery about the same buyer has reached the receiver or is under way: the older event would come
 * after it.
 */
async function laterWasSent(trx: Kysely<Tables>, ended: Ended): Promise<boolean> {
  const { webhook_no, order_key, event_seq } = ended;
  if (order_key === null || order_key === UPDATE_ORDER_KEY) return false;
  const inTable = (table: "ended" | "leased" | "pending") =>
    trx
      .selectFrom(`${table} as d` as "ended as d") // All of these tables have these columns.
      .select("d.seq")
      .where("d.webhook_no", "=", webhook_no)
      .where("d.order_key", "=", order_key)
      .where("d.event_seq", ">", event_seq);
  const open = await inTable("leased").unionAll(inTable("pending")).executeTakeFirst();
  if (open !== undefined) return true;
  // A delivery's number is never lower than its event's.
  let above = deliveryNumber(event_seq);
  for (;;) {
    const window = await oldestBuckets(trx, "ended", { above, below: null });
    if (window === null) return false;
    const later = await inTable("ended")
      .where(inBuckets("ended", window.buckets))
      .where("d.state", "=", endStateNumber("delivered"))
      .limit(1)
      .executeTakeFirst();
    if (later !== undefined) return true;
    above = window.below - 1;
  }
}

/** The range of numbers of deliveries made in this time. */
async function numbersBetween(
  db: Kysely<Tables>,
  { from, to }: Pick<ReplayFilter, "from" | "to">,
): Promise<Range> {
  return { above: (await firstNumberFrom(db, from)) - 1, below: await firstNumberAfter(db, to) };
}

type Found = Pick<Ended, "seq" | "order_key">;

/** Returns the oldest of them, window by window until there are `limit`; `nextSeq` null: that was the end. */
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
  for (;;) {
    const window = await oldestBuckets(db, "ended", range);
    if (window === null) return { found, nextSeq: null };
    const rows = await matching(db, filter, webhookNo, window)
      .select(["d.seq", "d.order_key"])
      .orderBy(bucket("ended"))
      .orderBy("d.seq")
      .limit(limit - found.length)
      .execute();
    found.push(...rows);
    if (found.length === limit) return { found, nextSeq: found.at(-1)?.seq ?? null };
    range.above = window.below - 1;
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

/** Not of an erased event, and what has arrived since counts as delivered. */
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

function matching(
  db: Kysely<Tables>,
  filter: ReplayFilter,
  webhookNo: number,
  { buckets, above, below }: Window,
) {
  const query = db
    .selectFrom("ended as d")
    .where("d.webhook_no", "=", webhookNo)
    .where(inBuckets("ended", buckets))
    .where("d.seq", ">", above)
    .where("d.seq", "<", below)
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

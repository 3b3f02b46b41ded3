import { given, instant } from "@markethook/protocol";
import type { Kysely } from "kysely";
import type { DeliveryLog, MissingFilter } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import type { ActingContext } from "../audit/audit-write.ts";
import { replayStep, withEvents } from "./insert-again.ts";
import { eventNumbersBetween, recentNumber } from "../log/log-bounds.ts";
import type { Range } from "../log/log-buckets.ts";
import { missingAmong, type MissingEvent, missingPage } from "./missing-events.ts";
import { outOfOrder } from "./out-of-order.ts";
import { COUNT_CAP } from "../count-rows.ts";
import { checkOwned } from "../resources/owners-times.ts";
import { ownWebhook, type WebhookRow } from "../webhooks/webhook-row.ts";

/** Limits of events: read by one statement, in a step, and in a count. */
const PAGE = 2000;
const MOST_OF_STEP = 50 * PAGE;
const MOST_OF_COUNT = 500 * PAGE;
/** Of missing events that a count looks up together: each time it reads all that the webhook had since the first of them. */
const LOOKED_UP = 10 * PAGE;

/** Makes deliveries of events that never had one to a webhook: it was added later, or chose them later. */
export function createMissing(
  context: ActingContext,
): Pick<DeliveryLog, "countMissing" | "missingStep"> {
  const { reader } = context;
  return {
    async countMissing(filter) {
      const webhook = await webhookOfOwner(reader, filter);
      const range: Range = await eventNumbersBetween(reader, filter);
      const found = { count: 0, outOfOrder: 0 };
      let some: MissingEvent[] = [];
      for (let examined = PAGE; ; examined += PAGE) {
        const { events, last } = await missingPage(reader, webhook, filter, range, PAGE);
        some.push(...events);
        const isOver = last === null || examined >= MOST_OF_COUNT;
        if (isOver || some.length >= LOOKED_UP) {
          const late = await outOfOrder(reader, webhook.no, some);
          found.outOfOrder += late.size;
          found.count += some.length - (filter.confirmed ? 0 : late.size);
          some = [];
        }
        if (isOver || found.count >= COUNT_CAP) return { ...found, capped: last !== null };
        range.above = last;
      }
    },

    async missingStep(filter, afterSeq, limit) {
      const webhook = await webhookOfOwner(reader, filter);
      const found = await nextMissing(reader, webhook, filter, afterSeq, limit);
      const { from, to, events } = filter;
      const asked = {
        from: instant(from),
        to: instant(to),
        include: "missing",
        ...given({ events }),
      };
      const step = { afterSeq, found: found.events, nextSeq: found.nextSeq, asked };
      // Under the locks: later events may have been accepted since.
      return await replayStep(
        context,
        webhook,
        step,
        async (trx) => await withEvents(trx, await stillMissing(trx, webhook, filter, found)),
      );
    },
  };
}

interface Found {
  events: readonly MissingEvent[];
  /** Deliveries that are made after this reading have higher numbers. */
  recent: number;
}

/** Returns the oldest of them, at most `limit`; `nextSeq` null: that was the end. */
async function nextMissing(
  db: Kysely<Tables>,
  webhook: WebhookRow,
  filter: MissingFilter,
  afterSeq: number,
  limit: number,
): Promise<Found & { nextSeq: number | null }> {
  const recent = await recentNumber(db);
  const between = await eventNumbersBetween(db, filter);
  const range = { ...between, above: Math.max(afterSeq, between.above) };
  const found: MissingEvent[] = [];
  let some: MissingEvent[] = [];
  for (let examined = PAGE; ; examined += PAGE) {
    const { events, last } = await missingPage(db, webhook, filter, range, PAGE);
    some.push(...events);
    const isOver = last === null || examined >= MOST_OF_STEP;
    // Together: each look reads all that the webhook had since the first of them.
    if (isOver || some.length >= limit) {
      const late = filter.confirmed ? new Set() : await outOfOrder(db, webhook.no, some);
      found.push(...some.filter((one) => !late.has(one.event_seq)));
      some = [];
    }
    if (found.length > limit) {
      const step = found.slice(0, limit);
      return { events: step, recent, nextSeq: step.at(-1)?.event_seq ?? null };
    }
    if (isOver || found.length === limit) return { events: found, recent, nextSeq: last };
    range.above = last;
  }
}

async function stillMissing(
  trx: Kysely<Tables>,
  webhook: WebhookRow,
  filter: MissingFilter,
  { events, recent }: Found,
): Promise<MissingEvent[]> {
  const seqs = events.map((one) => one.event_seq);
  const missing = await missingAmong(trx, webhook, filter, seqs);
  const late = filter.confirmed ? new Set() : await outOfOrder(trx, webhook.no, missing, recent);
  return missing.filter((one) => !late.has(one.event_seq));
}

/** @throws `webhook_not_active` if the resource has another owner now, whose events these are. */
async function webhookOfOwner(
  db: Kysely<Tables>,
  { webhookId, ownerId }: MissingFilter,
): Promise<WebhookRow> {
  const webhook = await ownWebhook(db, webhookId, ownerId);
  await checkOwned(db, webhook);
  return webhook;
}

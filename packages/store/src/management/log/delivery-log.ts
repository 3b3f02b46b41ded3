import type { Kysely } from "kysely";
import { MarkethookError } from "@markethook/protocol";
import { endStateNumber, kindOf, originNumber } from "../../hot/kinds.ts";
import { deliveryNumber } from "../../hot/numbers.ts";
import {
  type ActingLog,
  type DeliveryDetail,
  type DeliveryLog,
  MOST_ASKED,
} from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { COUNT_CAP, countRows, upToCap } from "../count-rows.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { deliveriesByNumber, listDeliveries, summaries } from "./delivery-list.ts";
import { findRow } from "./delivery-rows.ts";
import { newestAttempts } from "./newest-attempts.ts";
import { notDue } from "../early/make-due.ts";
import { searchDeliveries } from "./delivery-search.ts";
import { groupFailures } from "../webhooks/failures.ts";
import { ownWebhook } from "../webhooks/webhook-row.ts";

/** `watch` differs between the databases. */
export function createDeliveryLog(
  context: ManagementContext,
): Omit<DeliveryLog, "watch" | keyof ActingLog> {
  const { db, transact, reader, dialect } = context;
  return {
    async list(filter, page) {
      const { text } = filter;
      return text === undefined
        ? await listDeliveries(reader, filter, page)
        : await searchDeliveries(reader, { ...filter, text }, page);
    },

    summaries: (seqs) => deliveriesByNumber(reader, seqs),
    find: (id, ownerId) => findDelivery(reader, id, ownerId),
    async countHeld(webhookNo) {
      const held = reader.selectFrom("pending").where("webhook_no", "=", webhookNo).select("seq");
      return upToCap(await countRows(reader, held.limit(COUNT_CAP + 1)));
    },
    failures: (webhookId, ownerId) => groupFailures(reader, webhookId, ownerId),

    async reservePing(webhookId, ownerId) {
      return await transact(async (trx) => {
        const webhook = await ownWebhook(trx, webhookId, ownerId);
        const [number] = await dialect.takeInOrder(trx, [], 1);
        const seq = number ?? 0;
        return { seq, deliverySeq: deliveryNumber(seq), webhookNo: webhook.no };
      });
    },

    async recordPing(ping) {
      await transact(async (trx) => {
        const now = await databaseNow(trx);
        await trx
          .insertInto("events")
          .values({
            seq: ping.seq,
            tag: ping.tag,
            resource_id: ping.resourceId,
            kind: kindOf("ping"),
            time: ping.time,
            payload: ping.payload,
            accepted_at: now,
            touched_at: now,
          })
          .execute();
        await trx
          .insertInto("ended")
          .values({
            seq: deliveryNumber(ping.seq),
            event_seq: ping.seq,
            webhook_no: ping.webhookNo,
            kind: kindOf("ping"),
            state: endStateNumber(ping.state),
            attempts: 1,
            outcome: ping.attempt.outcome,
            status: ping.attempt.status,
            origin: originNumber("ping"),
            created_at: now,
            ended_at: now,
            first_attempt: ping.attempt.detail,
          })
          .execute();
      });
    },

    async profiles() {
      const rows = await reader.selectFrom("sender_profiles").selectAll().execute();
      return new Map(
        rows.map((row) => [row.no, { serviceName: row.service_name, userAgent: row.user_agent }]),
      );
    },

    async ensureProfile({ serviceName, userAgent }) {
      await db
        .insertInto("sender_profiles")
        .values({ service_name: serviceName, user_agent: userAgent })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await db
        .selectFrom("sender_profiles")
        .select("no")
        .where("service_name", "=", serviceName)
        .where("user_agent", "=", userAgent)
        .executeTakeFirst();
      if (row === undefined) throw new MarkethookError("store_unavailable");
      return row.no;
    },
  };
}

/** Returns one delivery with its newest attempts; null when absent or foreign. */
async function findDelivery(
  db: Kysely<Tables>,
  id: string,
  ownerId: string | null,
): Promise<DeliveryDetail | null> {
  const row = await findRow(db, id, ownerId);
  if (row === null) return null;
  // As in the list, so that both derive the shown state in one way.
  const [summary] = await summaries(db, [row]);
  const event = await db
    .selectFrom("events")
    .select("payload")
    .where("seq", "=", row.event_seq)
    .executeTakeFirst();
  if (summary === undefined || event === undefined) return null;
  const { dueAt } = summary;
  const attempts = await newestAttempts(db, [row.seq]);
  return {
    ...summary,
    payload: event.payload,
    askedUntil: dueAt === null ? null : await askedUntil(db, row.webhook_no, dueAt),
    attemptRecords: attempts.map(({ number, outcome, status, detail }) => {
      return { number, outcome, status, detail };
    }),
  };
}

async function askedUntil(
  db: Kysely<Tables>,
  webhookNo: number,
  dueAt: number,
): Promise<number | null> {
  const now = await databaseNow(db);
  if (dueAt > now) return null;
  const soonest = notDue(db, webhookNo, now)
    .select("asked_until")
    .orderBy("due_at")
    .orderBy("seq")
    .limit(MOST_ASKED);
  const row = await db
    .selectFrom(soonest.as("soonest"))
    .select(({ fn }) => fn.max("asked_until").as("until"))
    .where("asked_until", ">", now)
    .executeTakeFirst();
  return row?.until == null ? null : Number(row.until);
}

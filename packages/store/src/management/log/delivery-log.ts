import { MarkethookError } from "@markethook/protocol";
import { endStateNumber, kindOf, originNumber } from "../../hot/kinds.ts";
import { deliveryNumber } from "../../hot/numbers.ts";
import type { ActingLog, DeliveryLog } from "../../port/delivery-log.ts";
import { COUNT_CAP, countRows, upToCap } from "../count-rows.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { findDelivery } from "./delivery-detail.ts";
import { deliveriesByNumber, listDeliveries } from "./delivery-list.ts";
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

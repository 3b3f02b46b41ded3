import { MarkethookError } from "@markethook/protocol";
import type { Kysely, Transaction } from "kysely";
import type { ActingLog } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { webhookEntry } from "../audit/audit-values.ts";
import type { ActingContext } from "../audit/audit-write.ts";
import { COUNT_CAP, countRows, upToCap } from "../count-rows.ts";
import { findRow, type LogRow } from "../log/delivery-rows.ts";
import { makeDue, notDue, placesAfter } from "./make-due.ts";
import { padded } from "../padded.ts";
import { ownWebhook, type WebhookRow } from "../webhooks/webhook-row.ts";

/** Limit of earlier deliveries about one buyer that are made due together with a later one. */
const MOST_EARLIER = 1000;

/** Sends waiting deliveries before their time, because a person asked for it. */
export function createEarlySending(
  context: ActingContext,
): Pick<ActingLog, "sendNow" | "countWaiting" | "sendWaitingStep" | "stopWaitingStep"> {
  const { transact, reader, dialect, webhooksChanged, writeAudit } = context;
  return {
    async sendNow(id, ownerId) {
      const { webhookNo, earlier } = await transact(async (trx) => {
        const open = await findRow(trx, id, ownerId);
        if (open === null) throw new MarkethookError("not_found");
        const webhook = await ownWebhook(trx, open.webhook_id, ownerId);
        if (open.state !== null) throw new MarkethookError("delivery_ended");
        checkSends(webhook);
        const { no: webhookNo, now } = webhook;
        if (open.due_at === null) return { webhookNo, earlier: 0 };
        const before = await earlierOf(trx, open);
        const seqs = [...before.waiting, open.seq];
        await makeDue(trx, seqs, { now, dueAt: now, unlessAsked: false });
        const earlier = before.waiting.length + before.live;
        const entry = webhookEntry(webhook, "delivery.send_now", { after: { earlier } });
        await writeAudit(trx, [{ ...entry, subject: { kind: "delivery", id } }]);
        return { webhookNo, earlier };
      });
      // A pause that the receiver asked for ends too.
      webhooksChanged([webhookNo]);
      return { deliveryId: id, earlier };
    },

    async countWaiting(webhookId, ownerId) {
      const webhook = await ownWebhook(reader, webhookId, ownerId);
      checkSends(webhook);
      const { no, now } = webhook;
      const most = COUNT_CAP + 1;
      const waiting = await countRows(reader, notDue(reader, no, now).select("seq").limit(most));
      const leased = reader.selectFrom("leased").where("webhook_no", "=", no).select("seq");
      // In this order, deliveries that are claimed meanwhile are counted twice rather than not at all.
      const isDue = await countRows(reader, due(reader, no, now).limit(most));
      const sending = isDue + (await countRows(reader, leased.limit(most)));
      return { ...upToCap(waiting), sending: Math.min(sending, COUNT_CAP) };
    },

    async sendWaitingStep(webhookId, ownerId, from, limit) {
      const step = await transact(async (trx) => {
        await dialect.lockRows(trx, "webhooks", [webhookId]);
        const webhook = await ownWebhook(trx, webhookId, ownerId);
        checkSends(webhook);
        const { no: webhookNo, now } = webhook;
        const beganAt = from?.beganAt ?? now;
        const after = from ?? { dueAt: now, seq: 0 };
        const { places, end } = await placesAfter(trx, webhookNo, now, after, limit);
        // All at the same moment, so that they are claimed in the order of their numbers.
        // An untried one behind an earlier one follows when that has ended. A claim before would only move it to a later
        // place, where it would be counted again.
        const seqs = places
          .filter(({ attempts, blocked }) => attempts > 0 || blocked === 0)
          .map(({ seq }) => seq);
        await makeDue(trx, seqs, { now, dueAt: beganAt, unlessAsked: false });
        // Only the first of many steps adds an audit row.
        if (places.length > 0 && from === null)
          await writeAudit(trx, [webhookEntry(webhook, "webhook.send_waiting")]);
        const next = end === null ? null : { beganAt, dueAt: end.dueAt, seq: end.seq };
        return { webhookNo, sent: places.length, next };
      });
      if (step.sent > 0) webhooksChanged([step.webhookNo]);
      return { sent: step.sent, next: step.next };
    },

    async stopWaitingStep(webhookId, ownerId, limit) {
      const locked = async (trx: Transaction<Tables>): Promise<WebhookRow> => {
        await dialect.lockRows(trx, "webhooks", [webhookId]);
        return await ownWebhook(trx, webhookId, ownerId);
      };
      const { no, now } = await transact(async (trx) => {
        const webhook = await locked(trx);
        // A resume or a recovery must not make more of them due either.
        await trx.deleteFrom("pulls").where("webhook_no", "=", webhook.no).execute();
        return webhook;
      });
      // Not in a transaction, for which reports wait on SQLite: a million others may be due.
      const rows = await due(reader, no, now)
        .where("planned_at", ">", now)
        .orderBy("due_at")
        .orderBy("seq")
        .limit(limit)
        .execute();
      if (rows.length === 0) return { stopped: 0, more: false };
      const seqs = padded(rows.map(({ seq }) => seq));
      const stopped = await transact(async (trx) => {
        const webhook = await locked(trx);
        // Some may have been claimed meanwhile, and have failed again.
        const changed = await trx
          .updateTable("pending")
          .set(({ ref }) => ({ due_at: ref("planned_at").$notNull() }))
          .where("seq", "in", seqs)
          .whereRef("due_at", "<", "planned_at")
          .returning("seq")
          .execute();
        const after = { stopped: changed.length };
        if (changed.length > 0)
          await writeAudit(trx, [webhookEntry(webhook, "webhook.stop_waiting", { after })]);
        return changed.length;
      });
      return { stopped, more: rows.length === limit };
    },
  };
}

/** Deliveries that a claim can take now. */
function due(db: Kysely<Tables>, webhookNo: number, now: number) {
  return db
    .selectFrom("pending")
    .where("webhook_no", "=", webhookNo)
    .where("due_at", "<=", now)
    .select("seq");
}

function checkSends(webhook: WebhookRow): void {
  if (webhook.state === "active" && webhook.cancel_before === null) return;
  throw new MarkethookError("webhook_not_active", {
    detail: "Its deliveries are held. Resume the webhook: that sends them.",
  });
}

/** Earlier deliveries about the same buyer: none is overtaken. */
async function earlierOf(
  trx: Kysely<Tables>,
  { seq, webhook_no, order_key }: LogRow,
): Promise<{ waiting: number[]; live: number }> {
  if (order_key === null) return { waiting: [], live: 0 };
  const inTable = (table: "leased" | "pending") =>
    trx
      .selectFrom(`${table} as d` as "leased as d") // All of these tables have these columns.
      .select("d.seq")
      .where("d.webhook_no", "=", webhook_no)
      .where("d.order_key", "=", order_key)
      .where("d.seq", "<", seq)
      .orderBy("d.seq")
      .limit(MOST_EARLIER)
      .execute();
  const waiting = await inTable("pending");
  const live = await inTable("leased");
  return { waiting: waiting.map((row) => row.seq), live: live.length };
}

import { MarkethookError, WEBHOOK_TEXTS } from "@markethook/protocol";
import type { Kysely, Selectable, Updateable } from "kysely";
import type { AuditAction } from "../../port/audit.ts";
import type { NoticeKind } from "../../port/administration.ts";
import type { Webhook } from "../../port/webhooks.ts";
import type { Tables } from "../../tables.ts";
import { EVERYTHING } from "../context.ts";
import { urlVersion } from "./webhook-address.ts";
import { fieldsOf } from "./webhook-fields.ts";

/** A webhook's row with its health and the database's current time. */
export type WebhookRow = Selectable<Tables["webhooks"]> & {
  failing_since: number | null;
  last_success_at: number | null;
  last_failure_at: number | null;
  counted_ok_at: number | null;
  accepted_at: number | null;
  given_up_count: number | null;
  given_up_hour: number | null;
  now: number;
};

const HOUR_MS = 3_600_000;
/** A webhook shows the deliveries that were given up within this many hours. */
const SHOWN_HOURS = 7 * 24;

/** Reason of a backlog that its owner dropped; the webhook itself stays. */
export const DROPPED = "dropped";

/** Sets the columns of a deleted webhook that nothing needs any more once all of its deliveries have ended. */
export const FORGET_DELETED = `url = '', secret = '', next_secret = null, next_secret_until = null,
  chat_options = null, chat_target = null, chat_fault = null, probe_at = null, ${WEBHOOK_TEXTS.map((name) => `${name} = ''`).join(", ")}`;

/**
 * How many marked webhooks one step of cancelling handles. Deletions that come together, as those of a seller's whole
 * shop, must not make one long transaction.
 */
export const MARKED_AT_ONCE = 500;

/**
 * How many marked webhooks one step of cancelling looks at. Those of earlier owners stay marked for ever, and so their
 * number only grows.
 */
export const LOOKED_AT_ONCE = 5000;

/** A deleted webhook stays marked this long, for deliveries that were accepted while it was deleted. */
export const SETTLED_MS = 60_000;

/** Position of the walk through the marked webhooks: up to this one there was nothing to do. It starts over at the end. */
export interface CancelCursor {
  after: number;
}

/** New values of a webhook that is deleted. Its open deliveries are cancelled in the background. */
export function deletedWebhook(now: number, reason: "webhook_deleted" | "resource_deleted") {
  return {
    deleted_at: now,
    updated_at: now,
    cancel_before: EVERYTHING,
    cancel_reason: reason,
    resume_after_cancel: 0,
  };
}

/** URL and secret of a deleted webhook that were overwritten. Nothing is sent to it any more. */
export const FORGOTTEN = "";

/** Reads, decides and writes one webhook in one transaction, then notifies the senders. */
export type UpdateWebhook = (
  action: AuditAction,
  id: string,
  ownerId: string | null,
  decide: WebhookUpdate,
) => Promise<Webhook>;

/** The columns that a change of one webhook writes, decided from its row. */
type WebhookUpdate = (row: WebhookRow, trx: Kysely<Tables>) => Decided | Promise<Decided>;

interface Decided {
  set: Updateable<Tables["webhooks"]>;
  notice?: { kind: NoticeKind; detail: Record<string, string | number | null> };
  /**
   * Resets the health. Otherwise a webhook that was disabled for failing would be disabled again by its first failure.
   */
  forgetHealth?: boolean;
  /** Makes all waiting deliveries due. */
  pull?: boolean;
}

export function selectWebhooks(db: Kysely<Tables>) {
  return db
    .selectFrom("webhooks as w")
    .leftJoin("webhook_health as h", "h.webhook_no", "w.no")
    .selectAll("w")
    .select(["h.failing_since", "h.last_success_at", "h.last_failure_at"])
    .select((eb) => {
      const lately = eb
        .selectFrom("given_up as g")
        .whereRef("g.webhook_no", "=", "w.no")
        .where("g.count", ">", 0)
        .where(
          "g.hour",
          ">",
          eb(eb(eb.fn<number>("mh_now", []), "/", eb.lit(HOUR_MS)), "-", SHOWN_HOURS),
        );
      return [
        eb
          .selectFrom("attempt_counts as c")
          .select(({ fn }) => fn.max("c.last_ok_at").as("at"))
          .whereRef("c.webhook_no", "=", "w.no")
          .as("counted_ok_at"),
        eb
          .selectFrom("accepted_events as a")
          .select(({ fn }) => fn.max("a.last_at").as("at"))
          .whereRef("a.webhook_no", "=", "w.no")
          .as("accepted_at"),
        lately.select(({ fn }) => fn.sum<number>("g.count").as("count")).as("given_up_count"),
        lately.select(({ fn }) => fn.min("g.hour").as("hour")).as("given_up_hour"),
        eb.fn<number>("mh_now", []).as("now"),
      ];
    });
}

/** @throws `not_found` for absent, deleted and foreign webhooks alike. */
export async function ownWebhook(
  db: Kysely<Tables>,
  id: string,
  ownerId: string | null,
): Promise<WebhookRow> {
  let query = selectWebhooks(db).where("w.id", "=", id).where("w.deleted_at", "is", null);
  if (ownerId !== null) query = query.where("w.owner_id", "=", ownerId);
  const row = await query.executeTakeFirst();
  if (row === undefined) throw new MarkethookError("not_found");
  return row;
}

/** A rotation whose time is over counts as switched, even if that is not stored yet. */
export function rotationOpen(
  row: Pick<WebhookRow, "next_secret" | "next_secret_until" | "now">,
): boolean {
  return (
    row.next_secret !== null && (row.next_secret_until === null || row.next_secret_until > row.now)
  );
}

export function encryptedSecrets(
  row: Pick<WebhookRow, "secret" | "next_secret" | "next_secret_until" | "now">,
): { current: string; next: string | null } {
  if (row.next_secret === null) return { current: row.secret, next: null };
  return rotationOpen(row)
    ? { current: row.secret, next: row.next_secret }
    : { current: row.next_secret, next: null };
}

export function toWebhook(row: WebhookRow): Webhook {
  return {
    no: row.no,
    id: row.id,
    resourceId: row.resource_id,
    ownerId: row.owner_id,
    url: row.shown_url,
    urlVersion: urlVersion(row),
    host: row.host,
    format: row.format,
    chat: row.chat_options,
    chatFault: row.chat_fault,
    ...fieldsOf(row),
    // Only these words are ever stored.
    state: row.state as Webhook["state"],
    disabledReason: row.reason as Webhook["disabledReason"],
    secretIsImportedText: row.secret_is_text === 1,
    rotation: rotationOpen(row) ? { until: row.next_secret_until } : null,
    dropping: row.resume_after_cancel === 1,
    failingSince: row.failing_since,
    lastSuccessAt: lastSuccessOf(row),
    lastFailureAt: row.last_failure_at,
    givenUp:
      row.given_up_count === null || row.given_up_hour === null
        ? null
        : { count: Number(row.given_up_count), since: row.given_up_hour * HOUR_MS },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A success of a healthy webhook is only counted; one that ends a run of failures is stored in its health. */
function lastSuccessOf(row: WebhookRow): number | null {
  const at = Math.max(row.last_success_at ?? 0, row.counted_ok_at ?? 0, row.accepted_at ?? 0);
  return at === 0 ? null : at;
}

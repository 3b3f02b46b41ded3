import { jsonObject } from "@markethook/protocol";
import type { Selectable } from "kysely";
import type { AuditAction, AuditValues } from "../../port/audit.ts";
import type { Tables } from "../../tables.ts";
import { difference, type NewAuditEntry } from "./audit-write.ts";
import { fileVersionOf } from "../readable.ts";
import { fieldsOf } from "../webhooks/webhook-fields.ts";
import { DROPPED, toWebhook, type WebhookRow } from "../webhooks/webhook-row.ts";

type ResourceRow = Selectable<Tables["resources"]>;

/** The values of a webhook without its secrets: of its URL the shown part, of its secret nothing. */
export function webhookValues(row: WebhookRow): AuditValues {
  const { url, format, state, disabledReason, rotation, chat } = toWebhook(row);
  return {
    url,
    format,
    ...fieldsOf(row),
    state,
    ...(disabledReason === null ? {} : { disabledReason }),
    ...(rotation === null ? {} : { rotation }),
    ...(chat === null ? {} : { chat: jsonObject(chat) ?? chat }),
  };
}

export function webhookEntry(
  row: WebhookRow,
  action: AuditAction,
  values: Pick<NewAuditEntry, "before" | "after"> = {},
): NewAuditEntry {
  return {
    action,
    subject: { kind: "webhook", id: row.id },
    ownerId: row.owner_id,
    resourceId: row.resource_id,
    ...values,
  };
}

/** The changed values; empty without a change. A changed URL or secret is detected by its encrypted text. */
export function webhookChanges(
  action: AuditAction,
  before: WebhookRow,
  after: WebhookRow,
): NewAuditEntry[] {
  const changed = difference(webhookValues(before), webhookValues(after)) ?? {
    before: {},
    after: {},
  };
  // The shown part of a URL is not all of it.
  if (before.url !== after.url && changed.after["url"] === undefined)
    changed.after["address"] = "changed";
  if (before.secret !== after.secret) changed.after["secret"] = "changed";
  if (before.next_secret !== after.next_secret)
    changed.after["nextSecret"] = after.next_secret === null ? "removed" : "changed";
  // A webhook that drops what it held stays paused until that is done.
  if (after.cancel_reason === DROPPED && before.cancel_before !== after.cancel_before)
    changed.after["held"] = "dropped";
  if (Object.keys(changed.after).length === 0) return [];
  return [webhookEntry(before, action, changed)];
}

export function resourceValues(row: ResourceRow): AuditValues {
  return {
    ownerId: row.owner_id,
    title: row.title,
    subtitle: row.subtitle,
    fileVersion: fileVersionOf(row)?.id ?? null,
  };
}

/** The owner before the change, who gets the notice. */
export function resourceEntry(
  row: Pick<ResourceRow, "id" | "owner_id">,
  action: AuditAction,
  values: Pick<NewAuditEntry, "before" | "after">,
): NewAuditEntry {
  return {
    action,
    subject: { kind: "resource", id: row.id },
    ownerId: row.owner_id,
    resourceId: row.id,
    ...values,
  };
}

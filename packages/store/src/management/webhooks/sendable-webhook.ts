import { shownUrl } from "@markethook/protocol";
import type { Kysely } from "kysely";
import type { PlainWebhookValues } from "../../hot/accept-transaction.ts";
import { text } from "../../hot/rows.ts";
import type { Recovery, SendableWebhook } from "../../port/webhooks.ts";
import { type Encryption, markOf } from "../../encryption.ts";
import type { Tables } from "../../tables.ts";
import { addressOf, hostOf } from "./webhook-address.ts";
import { DROPPED, encryptedSecrets, FORGOTTEN } from "./webhook-row.ts";

/** The columns of a webhook that a sender needs. */
const SENDABLE_COLUMNS = [
  "w.no",
  "w.id",
  "w.resource_id",
  "w.owner_id",
  "w.url",
  "w.format",
  "w.shown_url",
  "w.host",
  "w.chat_options",
  "w.chat_target",
  "w.chat_fault",
  "w.state",
  "w.reason",
  "w.secret",
  "w.next_secret",
  "w.next_secret_until",
  "w.cancel_before",
  "w.cancel_reason",
  "w.created_at",
  "w.updated_at",
  "w.deleted_at",
  "w.include_details",
  "h.failing_since",
  "h.last_success_at",
] as const;

export function selectSendable(db: Kysely<Tables>) {
  return db
    .selectFrom("webhooks as w")
    .leftJoin("webhook_health as h", "h.webhook_no", "w.no")
    .select(SENDABLE_COLUMNS)
    .select((eb) => eb.fn<number>("mh_now", []).as("now"));
}

type SendableRow = Awaited<ReturnType<ReturnType<typeof selectSendable>["execute"]>>[number];

export function toSendable(row: SendableRow, encryption: Encryption): SendableWebhook {
  const { current, next } = encryptedSecrets(row);
  const isForgotten = row.url === FORGOTTEN;
  const { url, format } = isForgotten
    ? { url: row.shown_url, format: row.format }
    : addressOf(row, encryption);
  const sendable: SendableWebhook = {
    no: row.no,
    id: row.id,
    resourceId: row.resource_id,
    ownerId: row.owner_id,
    url,
    urlMark: markOf(row.url),
    shownUrl: row.shown_url,
    host: row.host,
    format,
    chat:
      format === "json"
        ? null
        : {
            options: row.chat_options ?? "",
            target: row.chat_target ?? "",
            fault: row.chat_fault,
          },
    // Only words of the port are ever stored.
    state: row.state as SendableWebhook["state"],
    disabledReason: row.reason as SendableWebhook["disabledReason"],
    cancelled:
      row.deleted_at !== null || (row.cancel_before !== null && row.cancel_reason !== DROPPED),
    secrets: { current: isForgotten ? FORGOTTEN : encryption.decrypt(current, row.id) },
    failing: row.failing_since !== null,
    includeDetails: row.include_details === 1,
  };
  // Not spread in: with many new webhooks that doubled the cost of each.
  if (next !== null) sendable.secrets.next = encryption.decrypt(next, row.id);
  const recovery = recoveryOf(row);
  if (recovery !== null) sendable.recovery = recovery;
  return sendable;
}

/** The members that a plain webhook's columns tell. */
type Told =
  | "no"
  | "id"
  | "resourceId"
  | "ownerId"
  | "url"
  | "urlMark"
  | "shownUrl"
  | "host"
  | "secrets";

/** When each other member has the one value that `plainSendable` gives it. Null: another member's condition says so. */
const CONDITIONS: Readonly<Record<Exclude<keyof SendableWebhook, Told>, string | null>> = {
  state: "w.state = 'active'",
  format: "w.format = 'json'",
  chat: null,
  disabledReason: "w.reason is null",
  cancelled: "w.cancel_before is null",
  failing: `coalesce((select h.failing_since is null and (h.last_success_at <> w.updated_at or w.updated_at <= w.created_at)
    from webhook_health h where h.webhook_no = w.no), w.updated_at <= w.created_at)`,
  includeDetails: "w.include_details = 0",
  recovery: null,
};
const IS_PLAIN = Object.values(CONDITIONS)
  .filter((condition) => condition !== null)
  .join(" and ");

/**
 * A plain webhook: the sender needs only its URL and secret. Nearly all webhooks are plain, so accepting returns these
 * with the deliveries. A chat's webhook, or one that is in trouble or changing, is read when its turn comes.
 *
 * Its id, encrypted URL and encrypted secret. Without a secret it is not plain.
 */
export const PLAIN_WEBHOOK_COLUMNS = `w.id, w.url, case when w.next_secret is null and ${IS_PLAIN} then w.secret end`;

/** A plain webhook, from the few columns that an accept returns. */
export function plainSendable(
  [no, id, resourceId, ownerId, url, secret]: PlainWebhookValues,
  encryption: Encryption,
): SendableWebhook {
  const webhookId = text(id);
  const encrypted = text(url);
  const address = encryption.decrypt(encrypted, webhookId);
  return {
    no: Number(no),
    id: webhookId,
    resourceId: text(resourceId),
    ownerId: text(ownerId),
    url: address,
    urlMark: markOf(encrypted),
    shownUrl: shownUrl(address),
    host: hostOf(address),
    format: "json",
    chat: null,
    state: "active",
    disabledReason: null,
    cancelled: false,
    secrets: { current: encryption.decrypt(text(secret), webhookId) },
    failing: false,
    includeDetails: false,
  };
}

/** After this time a resumed webhook is treated like any other. */
const LATELY_MS = 10 * 60_000;

function recoveryOf(row: SendableRow): Recovery | null {
  const failingMs = row.failing_since === null ? null : row.now - row.failing_since;
  // Resuming forgets a webhook's health. A success that enables a disabled one changes both at the same moment.
  const resumed =
    (row.last_success_at === null || row.last_success_at === row.updated_at) &&
    row.updated_at > row.created_at;
  const resumedMs =
    resumed && row.now - row.updated_at < LATELY_MS ? row.now - row.updated_at : null;
  if (failingMs === null && resumedMs === null) return null;
  return { failingMs, resumedMs, awayMs: row.updated_at - row.created_at };
}

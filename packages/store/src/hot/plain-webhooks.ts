import type { SendableWebhook } from "../port/webhooks.ts";

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
  failing: `coalesce((select h.failing_since is null and (h.last_success_at is not null or w.updated_at <= w.created_at)
    from webhook_health h where h.webhook_no = w.no), w.updated_at <= w.created_at)`,
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

/** Number, id, resource, owner, URL and secret: the form in which a row leaves the driver or goes to another thread. */
export type PlainWebhookValues = readonly unknown[];

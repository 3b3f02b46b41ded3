/**
 * A plain webhook: all that a sender has to know of it is where it is and what it signs with. Nearly all are, so that
 * an accept brings those along; a chat, or one that is in trouble or changing, is read when its turn comes.
 */
export const PLAIN_WEBHOOK = `w.format = 'json' and w.state = 'active' and w.reason is null
  and w.deleted_at is null and w.cancel_before is null and w.next_secret is null
  and h.failing_since is null and (h.last_success_at is not null or w.updated_at <= w.created_at)`;

export const PLAIN_WEBHOOK_COLUMNS = "w.no, w.id, w.resource_id, w.url, w.secret";

/** Of these columns, in their order: a row on its way out of the driver, or to another thread. */
export type PlainWebhookValues = readonly unknown[];

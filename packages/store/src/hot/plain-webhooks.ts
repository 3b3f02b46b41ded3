/**
 * A plain webhook: all that a sender has to know of it is where it is and what it signs with. Nearly all are, so that
 * an accept brings those along; a chat, or one that is in trouble or changing, is read when its turn comes.
 *
 * Its id, encrypted URL and encrypted secret; without a secret it is not plain.
 */
export const PLAIN_WEBHOOK_COLUMNS = `w.id, w.url, case when w.state = 'active' and w.format = 'json' and w.reason is null
  and w.cancel_before is null and w.next_secret is null
  and coalesce((select h.failing_since is null and (h.last_success_at is not null or w.updated_at <= w.created_at)
    from webhook_health h where h.webhook_no = w.no), w.updated_at <= w.created_at)
  then w.secret end`;

/** Number, id, resource, owner, URL and secret: a row on its way out of the driver, or to another thread. */
export type PlainWebhookValues = readonly unknown[];

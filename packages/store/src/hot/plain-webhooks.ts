/**
 * A plain webhook: the sender needs only its URL and secret. Nearly all webhooks are plain, so accepting returns these
 * with the deliveries. A chat's webhook, or one that is in trouble or changing, is read when its turn comes.
 *
 * Its id, encrypted URL and encrypted secret. Without a secret it is not plain.
 */
export const PLAIN_WEBHOOK_COLUMNS = `w.id, w.url, case when w.state = 'active' and w.format = 'json' and w.reason is null
  and w.cancel_before is null and w.next_secret is null
  and coalesce((select h.failing_since is null and (h.last_success_at is not null or w.updated_at <= w.created_at)
    from webhook_health h where h.webhook_no = w.no), w.updated_at <= w.created_at)
  then w.secret end`;

/** Number, id, resource, owner, URL and secret: the form in which a row leaves the driver or goes to another thread. */
export type PlainWebhookValues = readonly unknown[];

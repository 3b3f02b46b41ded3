// Generated from the routes' schemas by `npm run openapi`. Not edited by hand.

export interface paths {
  "/": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where things are
     * @description Needs no key.
     */
    get: operations["index"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/healthz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the process is alive
     * @description Needs no key.
     */
    get: operations["health"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/metrics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The operator's figures, for Prometheus
     * @description Needs no key.
     */
    get: operations["metrics"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/readyz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether this instance should get requests
     * @description Needs no key.
     */
    get: operations["readiness"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/activity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What was sent, hour by hour, and how long replies took
     * @description Of one webhook, a resource, an owner, or the whole service, over 31 days at most. An attempt counts in the hour in which it ended, some seconds later. Read from counts, so that it costs the same however many deliveries there are.
     *
     *     Needs the scope `deliveries:read`.
     */
    get: operations["getActivity"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/api-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * All API keys, without the keys themselves
     * @description Needs the scope `admin`.
     */
    get: operations["listApiKeys"];
    put?: never;
    /**
     * Make an API key
     * @description The key is in this answer only; a hash of it is stored.
     *
     *     Needs the scope `admin`.
     */
    post: operations["createApiKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/api-keys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description Instances that used it just now may take it for one more second.
     *
     *     Needs the scope `admin`.
     */
    delete: operations["revokeApiKey"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/audit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who changed what, newest first
     * @description Webhooks and their secrets, keys, resources, sessions, imports, redeliveries, erasures. An owner sees changes of their webhooks and resources. A page can have fewer than `limit`, also before the last one.
     *
     *     Needs the scope `audit:read`.
     */
    get: operations["listAudit"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/audit/check": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the log is as it was written
     * @description Each row holds a keyed hash of itself and of the row before. A request checks 10,000 rows; repeat it with `next` until that is null.
     *
     *     Needs the scope `admin`.
     */
    get: operations["checkAudit"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Deliveries, newest first
     * @description Needs the scope `deliveries:read`.
     */
    get: operations["listDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/deliveries/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One delivery, with the exact requests and answers
     * @description Needs the scope `deliveries:read`.
     */
    get: operations["getDelivery"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/deliveries/{id}/redeliver": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an ended delivery again
     * @description As a new delivery of the same event, with the same `webhook-id`: receivers that deduplicate ignore it if they had it.
     *
     *     Needs the scope `deliveries:write`.
     */
    post: operations["redeliver"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/deliveries/{id}/send-now": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a pending delivery now
     * @description Earlier deliveries about the same buyer go first, now too. If the attempt fails, the retry schedule is as it was before.
     *
     *     Needs the scope `deliveries:write`.
     */
    post: operations["sendNow"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/deliveries/stream": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Deliveries as they are made and as they change, as server-sent events
     * @description `event: delivery` with a delivery as in lists, at most two seconds late; a change may be told twice. `event: skipped`: more has changed than is told, list again. `event: ping` every 15 seconds. `event: end`: the session is over. A key names at least one of the parameters. Open the stream first and list then, and nothing is missed.
     *
     *     Needs the scope `deliveries:read`.
     */
    get: operations["streamDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Reported events, newest first
     * @description Without pings. A page can have fewer than `limit`, also before the last one.
     *
     *     Needs the scope `deliveries:read`.
     */
    get: operations["listEvents"];
    put?: never;
    /**
     * Report up to 1,000 events at once
     * @description The answer has one result per item, in order. Faulty items are rejected one by one; the others are stored, in one transaction where fan-out allows. Each item takes its own `idempotencyKey`.
     *
     *     Needs the scope `events:write`.
     */
    post: operations["reportEvents"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One stored event
     * @description Needs the scope `deliveries:read`.
     */
    get: operations["getEvent"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events/{id}/explanation": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Why an event did or did not arrive, a line per webhook of its resource
     * @description Made from stored facts. Webhooks that were deleted, added later or did not choose the event are listed too.
     *
     *     Needs the scope `deliveries:read`.
     */
    get: operations["explainEvent"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/import": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Import up to 1,000 records of a marketplace that moves here
     * @description Resources, webhooks with their secrets, file versions and first downloads. The answer has one result per record, in order; faulty records are rejected one by one. Nothing is sent because of it, and importing the same records again changes nothing.
     *
     *     Needs the scope `admin`.
     */
    post: operations["importRecords"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/notices": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Notices above a number, oldest first
     * @description Keep `after` of each answer and ask again with it: that is a feed without gaps, and owners can be told. A notice is kept for 30 days at least.
     *
     *     Needs the scope `notices:read`.
     */
    get: operations["listNotices"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/operator": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How the service is doing
     * @description Figures that are counted in memory are of this instance. At most a second old.
     *
     *     Needs the scope `operator:read`.
     */
    get: operations["operatorOverview"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/portal-sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Sessions that are open, the newest first; at most 200
     * @description Needs the scope `portal:write`.
     */
    get: operations["listPortalSessions"];
    put?: never;
    /**
     * Make a link that opens an owner's webhooks page
     * @description For an owner that the marketplace has logged in. It may do all that owners may, also see secrets: so does, through it, anyone who has a key with this scope. `revealSecrets: false` leaves that out. The link is good once, within five minutes; what it opens lasts for `lifetimeSeconds`, and is renewed while the page is used. `path` is the place that it opens.
     *
     *     Needs the scope `portal:write`.
     */
    post: operations["createPortalSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/portal-sessions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End a session
     * @description Within a second, its live streams too.
     *
     *     Needs the scope `portal:write`.
     */
    delete: operations["revokePortalSession"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/portal-sessions/current": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who is asking, and what a page must know about this service
     * @description Needs a key or a session.
     */
    get: operations["getCurrentSession"];
    put?: never;
    post?: never;
    /**
     * End the session that asks
     * @description Needs a key or a session.
     */
    delete: operations["endCurrentSession"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/portal-sessions/current/renew": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give the session that asks its lifetime again
     * @description For the page, while somebody uses it. Not beyond `renewableUntil`; then it answers the same `expiresAt` again.
     *
     *     Needs a key or a session.
     */
    post: operations["renewCurrentSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/portal-sessions/exchange": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Open a session with the code of its link
     * @description For the page. The token goes into `Authorization` like a key, and no cookie. With a `nonce` the call can be repeated for five minutes.
     *
     *     Needs no key.
     */
    post: operations["exchangePortalCode"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/resources": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Resources, in order of id
     * @description Needs the scope `resources:read`.
     */
    get: operations["listResources"];
    /**
     * Create or replace up to 1,000 resources
     * @description All of them or, if one is invalid, none. They are stored in parts: after a 5xx answer some may be stored, and the same request can be repeated.
     *
     *     Needs the scope `resources:write`.
     */
    put: operations["putResources"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/resources/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One resource
     * @description Needs the scope `resources:read`.
     */
    get: operations["getResource"];
    /**
     * Create or replace a resource
     * @description `subtitle` and `fileVersion` left out keep those known. A changed `ownerId` disables the old owner's webhooks and cancels their open deliveries.
     *
     *     Needs the scope `resources:write`.
     */
    put: operations["putResource"];
    post?: never;
    /**
     * Delete a resource and its webhooks
     * @description Open deliveries are cancelled in the background.
     *
     *     Needs the scope `resources:write`.
     */
    delete: operations["deleteResource"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/resources/{id}/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report an event of a resource
     * @description 202 means stored: the event will be delivered. Send an idempotency key, as the header `Idempotency-Key` or in the body, and repeat after any 5xx.
     *
     *     Needs the scope `events:write`.
     */
    post: operations["reportEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/resources/{id}/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The webhooks of a resource, newest first
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["listResourceWebhooks"];
    put?: never;
    /**
     * Add a webhook to a resource
     * @description The secret is in the answer; requests are signed with it. With the URL of a chat platform's webhook, messages are posted there instead, and by default of the events that a chat is for.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations["createWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/users/{id}/erase": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take one user out of what is stored
     * @description Erases their id and `details` in events, and the stored requests and answers. Events keep their form, with the user 0. Deliveries that are not sent yet are cancelled. Each request does a part of it; repeat with the `cursor` of the answer until that is null. `dryRun` counts.
     *
     *     Needs the scope `users:erase`.
     */
    post: operations["eraseUser"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Find out what is wrong with a request as a receiver saw it
     * @description Every signature must fit, while the receiver library accepts a request for one of them. The time is not judged: a pasted request may be old. Give `secret`, or the webhook whose secrets are to be tried.
     *
     *     Needs the scope `secrets:read`.
     */
    post: operations["verifyRequest"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Webhooks, newest first
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["listWebhooks"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One webhook, without its secret
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["getWebhook"];
    put?: never;
    post?: never;
    /**
     * Delete a webhook
     * @description Its open deliveries are cancelled in the background.
     *
     *     Needs the scope `webhooks:write`.
     */
    delete: operations["deleteWebhook"];
    options?: never;
    head?: never;
    /**
     * Change a webhook
     * @description Left-out fields stay unchanged; `chat` is replaced as a whole. With `expected`, another person's change is not overwritten. Deliveries not yet sent go to the new URL.
     *
     *     Needs the scope `webhooks:write`.
     */
    patch: operations["changeWebhook"];
    trace?: never;
  };
  "/v1/webhooks/{id}/checkup": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Find out whether its receiver refuses forgeries
     * @description Sends a ping and, where it is accepted, eleven more requests, one after the other, to the address that accepted it: signed ones, forged ones, recorded ones. Each is marked with `X-{Service}-Checkup`, none is an event of a buyer, and only the ping is in the log. Takes as long as the receiver takes for all of them, at most a minute.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations["checkWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/copy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Copy a webhook to other resources of the same owner
     * @description All that `changeWebhook` can change is copied; each copy gets a secret of its own.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations["copyWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The deliveries of a webhook, newest first
     * @description Needs the scope `deliveries:read`.
     */
    get: operations["listWebhookDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/failures": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the failed deliveries of a webhook have in common
     * @description Looks at the newest 1,000 that were given up within a week, and at 1,000 that wait for their next attempt, and groups them by outcome, status and beginning of the answer.
     *
     *     Needs the scope `deliveries:read`.
     */
    get: operations["listFailures"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/pause": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Hold a webhook's deliveries
     * @description Needs the scope `webhooks:write`.
     */
    post: operations["pauseWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/ping": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send the test event, once, now
     * @description Also to paused and disabled webhooks. `secret: next` signs with the secret that is being rotated in. A receiver's bad answer is a 200 here: see `outcome` and `sentence`.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations["pingWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a range of ended deliveries again, or of missing ones for the first time
     * @description Ask with `dryRun` first for the count. Then each request sends at most 500; repeat it with the `cursor` of the answer until that is null; in a long log some send none. Deduplicating receivers ignore what they had. With `include: missing` deliveries are made of events that never had one to this webhook, because it was added later or chose them later; with the `webhook-id` that others of that event had.
     *
     *     Needs the scope `deliveries:write`.
     */
    post: operations["replayWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/resume": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make a paused or disabled webhook active again
     * @description Needs the scope `webhooks:write`.
     */
    post: operations["resumeWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/sample": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an event that did not happen, once, now
     * @description About the webhook's own resource, signed and shaped as a real one, with the header `X-{Service}-Sample: 1`. **The receiver may act on it.** It does not depend on the chosen events or the webhook's state, and is in no log.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations["sendSample"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The secret of a webhook
     * @description Needs the scope `secrets:read`.
     */
    get: operations["revealSecret"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/secret/rotate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a webhook a new secret
     * @description `overlap`: the old secret goes on signing and the new one signs next to it, so that the receiver can change over without losing a request. `switch_now`: the old one has leaked and ends here.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations["rotateSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/secret/rotation": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End an open rotation with the old secret alone
     * @description Needs the scope `webhooks:write`.
     */
    delete: operations["cancelRotation"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/secret/switch": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End an open rotation with the new secret alone
     * @description Needs the scope `webhooks:write`.
     */
    post: operations["switchSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/send-waiting": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send all waiting deliveries now
     * @description Ask with `dryRun` first for the count. Then each request makes at most 500 due; repeat it with the `cursor` of the answer until that is null. They are sent in order, within the webhook's limits. If an attempt fails, its delivery's retry schedule is as it was before.
     *
     *     Needs the scope `deliveries:write`.
     */
    post: operations["sendWaiting"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/stop-waiting": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Stop what was sent before its time
     * @description Deliveries that `send-waiting`, `send-now` or resuming made due wait for their next attempt again. Requests that are already under way go on.
     *
     *     Needs the scope `deliveries:write`.
     */
    post: operations["stopWaiting"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/url": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The whole URL of a webhook
     * @description Anyone who has it can send to the receiver, or post in the chat. As with the secret, the audit log tells who has asked.
     *
     *     Needs the scope `secrets:read`.
     */
    get: operations["revealUrl"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/check-url": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Judge a URL without saving it
     * @description Judges a URL as saving a webhook does, but its name has to resolve now. Nothing is sent; the host's name is looked up. An address that is not allowed and a name that does not exist get the same answer.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations["checkUrl"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  ping: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A ping
     * @description The owner pressed Ping. Verify the signatures over the exact bytes of the body before you believe any of it. Act once per `webhook-id`: the same event can come again. Answer any 2xx as soon as you have stored it; the body of your answer is not used.
     */
    post: operations["receivePing"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "product.update": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * An update was posted
     * @description The owner posted an update to the resource. Verify the signatures over the exact bytes of the body before you believe any of it. Act once per `webhook-id`: the same event can come again. Answer any 2xx as soon as you have stored it; the body of your answer is not used.
     */
    post: operations["receiveUpdate"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "product.user.firstDownload": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A user downloaded the resource for the first time
     * @description A user downloaded the resource for the first time. Verify the signatures over the exact bytes of the body before you believe any of it. Act once per `webhook-id`: the same event can come again. Answer any 2xx as soon as you have stored it; the body of your answer is not used.
     */
    post: operations["receiveFirstDownload"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "product.user.purchase": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A user purchased the resource
     * @description A user purchased the resource. Verify the signatures over the exact bytes of the body before you believe any of it. Act once per `webhook-id`: the same event can come again. Answer any 2xx as soon as you have stored it; the body of your answer is not used.
     */
    post: operations["receivePurchase"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "product.user.purchaseRemoved": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A purchase was removed
     * @description The owner refunded a user, or a user issued a chargeback. It may come more than once for the same user. Verify the signatures over the exact bytes of the body before you believe any of it. Act once per `webhook-id`: the same event can come again. Answer any 2xx as soon as you have stored it; the body of your answer is not used.
     */
    post: operations["receivePurchaseRemoval"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    ApiKey: {
      /** @description None: from anywhere */
      addresses: string[];
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      expiresAt: string | null;
      id: string;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      lastUsedAt: string | null;
      name: string;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      revokedAt: string | null;
      scopes: string[];
    };
    Attempt: {
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      at: string;
      /** @description The server's, where it was refused; in its own words */
      certificate?: components["schemas"]["Certificate"];
      /** @description The buyer was erased: neither request nor body are known */
      erased?: boolean;
      /** @description Of a chat: why the default message stood in for the owner's own */
      fault?: string;
      /** @description Counted from 1 */
      number: number;
      /** @description For the marketplace's own key only */
      operatorDetail?: string;
      outcome: string;
      request: components["schemas"]["SentRequest"] | null;
      response: components["schemas"]["ReceivedResponse"] | null;
      /** @description False: no byte of the request left, for example because no connection could be made; `request` is then what would have been sent */
      sent: boolean;
      status: number | null;
      timings: components["schemas"]["Timings"] | null;
      /** @description Of a chat: what was cut from its message */
      warnings?: string[];
    };
    AuditCheck: {
      /** @description The first row that is not as it was written; null: none so far */
      broken: {
        no: number;
        why: string;
      } | null;
      /** @description Rows looked at by this request */
      checked: number;
      /** @description The newest row; written down elsewhere, it proves later what stood then */
      head: {
        hash: string;
        no: number;
      };
      /** @description Ask again with it as `after`; null: the end */
      next: number | null;
    };
    AuditEntry: {
      /** @enum {string} */
      action:
        | "webhook.create"
        | "webhook.copy"
        | "webhook.change"
        | "webhook.delete"
        | "webhook.pause"
        | "webhook.resume"
        | "webhook.disable"
        | "webhook.recover"
        | "webhook.replay"
        | "webhook.send_waiting"
        | "webhook.stop_waiting"
        | "url.reveal"
        | "secret.reveal"
        | "secret.rotate"
        | "secret.switch"
        | "secret.cancel_rotation"
        | "delivery.redeliver"
        | "delivery.send_now"
        | "resource.create"
        | "resource.change"
        | "resource.delete"
        | "api_key.create"
        | "api_key.revoke"
        | "portal_session.create"
        | "portal_session.open"
        | "portal_session.renew"
        | "portal_session.revoke"
        | "import.run"
        | "user.erase"
        | "user.erased";
      actor: {
        /** @description Of the key or session; for the marketplace only */
        id: string | null;
        /** @enum {string} */
        kind: "api_key" | "portal_session" | "system" | "command_line";
        /** @description For the marketplace only */
        name: string | null;
      };
      /** @description Without secrets; of a change only the changed values */
      after: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      at: string;
      /** @description Without secrets; of a change only the changed values */
      before: {
        [key: string]: unknown;
      } | null;
      /** @description Counted from 1 without gaps */
      no: number;
      ownerId: string | null;
      /** @description As in the answer and the service's log */
      requestId: string | null;
      resourceId: string | null;
      subject: {
        /** @description For a user, a keyed hash */
        id: string;
        /** @enum {string} */
        kind:
          | "webhook"
          | "delivery"
          | "resource"
          | "api_key"
          | "portal_session"
          | "import"
          | "user";
      };
    };
    Certificate: {
      issuer: string;
      /** @description Names and addresses that it is for */
      names: string;
      /** @description ISO 8601; empty where it is not known */
      validFrom: string;
      validTo: string;
    };
    ChangedWebhook: {
      chat: components["schemas"]["ChatOptions"] | null;
      /** @description Why a message of the owner's own could not be used since it was last changed */
      chatFault: string | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      description: string;
      /** @enum {string|null} */
      disabledReason:
        | "failing"
        | "gone"
        | "receiver_request"
        | "owner_changed"
        | "chat_deleted"
        | "chat_token"
        | "chat_forbidden"
        | null;
      /** @description Held deliveries are being cancelled */
      dropping: boolean;
      events: string[] | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      failingSince: string | null;
      /**
       * @description `json`: signed requests; otherwise messages in a chat
       * @enum {string}
       */
      format: "json" | "discord" | "slack";
      /** @description Deliveries of the last seven days that are not tried again and that nobody has sent again, and the hour of the first */
      givenUp: {
        count: number;
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        since: string;
      } | null;
      health: {
        /** @description Requests of the last 24 hours by hour, oldest first, the present one last */
        hours: {
          failed: number;
          ok: number;
        }[];
        lastAttempt: {
          /**
           * Format: date-time
           * @description RFC 3339, UTC, milliseconds
           */
          at: string;
          outcome: string;
          /** @description HTTP status, if there was an answer */
          status: number | null;
        } | null;
      };
      /** @description Held deliveries of a webhook that is not active. Not in lists */
      held?: {
        /** @description There are more */
        capped: boolean;
        count: number;
      };
      /** @description The URL's name and port */
      host: string;
      id: string;
      /** @description Whether requests carry details of events */
      includeDetails: boolean;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      lastFailureAt: string | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      lastSuccessAt: string | null;
      ownerId: string;
      /** @description What the owner should know about the URL, which is allowed */
      remarks: {
        /** @description `not_encrypted`, `address_is_number` or `same_address`, more may come */
        code: string;
        sentence: string;
      }[];
      resourceId: string;
      /** @description Open rotation; until null: switched by hand */
      rotation: {
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        until: string | null;
      } | null;
      /** @description Whether `webhook-signature` is sent. False: an imported secret is not base64 */
      standardSignature: boolean;
      /** @enum {string} */
      state: "active" | "paused" | "disabled";
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      updatedAt: string;
      /** @description The shown form: path and query are a secret, and `…` replaces them. `GET /webhooks/{id}/url` reveals them */
      url: string;
      /** @description Changes whenever the URL changes, also if the shown form stays the same */
      urlVersion: string;
    };
    ChatOptions: {
      messages: {
        ping?: {
          /** @description 0xRRGGBB */
          colour?: number;
          /** @description False: without the fields below title and text */
          fields?: boolean;
          /** @description The one role that this event's message mentions */
          mentionRoleId?: string;
          /** @description With placeholders */
          text?: string;
          /** @description With placeholders such as {resource} */
          title?: string;
        };
        "product.update"?: {
          /** @description 0xRRGGBB */
          colour?: number;
          /** @description False: without the fields below title and text */
          fields?: boolean;
          /** @description The one role that this event's message mentions */
          mentionRoleId?: string;
          /** @description With placeholders */
          text?: string;
          /** @description With placeholders such as {resource} */
          title?: string;
        };
        "product.user.firstDownload"?: {
          /** @description 0xRRGGBB */
          colour?: number;
          /** @description False: without the fields below title and text */
          fields?: boolean;
          /** @description The one role that this event's message mentions */
          mentionRoleId?: string;
          /** @description With placeholders */
          text?: string;
          /** @description With placeholders such as {resource} */
          title?: string;
        };
        "product.user.purchase"?: {
          /** @description 0xRRGGBB */
          colour?: number;
          /** @description False: without the fields below title and text */
          fields?: boolean;
          /** @description The one role that this event's message mentions */
          mentionRoleId?: string;
          /** @description With placeholders */
          text?: string;
          /** @description With placeholders such as {resource} */
          title?: string;
        };
        "product.user.purchaseRemoved"?: {
          /** @description 0xRRGGBB */
          colour?: number;
          /** @description False: without the fields below title and text */
          fields?: boolean;
          /** @description The one role that this event's message mentions */
          mentionRoleId?: string;
          /** @description With placeholders */
          text?: string;
          /** @description With placeholders such as {resource} */
          title?: string;
        };
      };
      /**
       * @description Of a refund or chargeback: a message of its own, or the sale's message changed
       * @enum {string}
       */
      refunds: "post" | "edit";
      /** @description Null: the chat itself, not a thread of it */
      threadId: string | null;
    };
    Checkup: {
      /** @description What to do */
      advice: string | null;
      ping: components["schemas"]["PingResult"];
      /** @description In the order in which they were sent */
      probes: {
        /** @description The reply's body, at most 500 characters */
        body: string;
        /**
         * @description `remark`: it works, and could be better; `unknown`: no reply, or a 429
         * @enum {string}
         */
        finding: "right" | "remark" | "wrong" | "unknown";
        /**
         * @description `genuine`: signed as every request is, to be accepted. `forged`: made without the secret, and `recorded`: a genuine one with other headers or too late; both to be refused
         * @enum {string}
         */
        kind: "genuine" | "forged" | "recorded";
        ms: number;
        /**
         * @description Which request; also the value of its `X-{Service}-Checkup` header
         * @enum {string}
         */
        probe:
          | "repeat"
          | "unknown_event"
          | "no_signature"
          | "empty_signature"
          | "wrong_signature"
          | "near_signature"
          | "changed_body"
          | "not_json"
          | "other_id"
          | "old"
          | "no_standard_signature";
        /** @description What follows from the reply, in plain words */
        sentence: string;
        status: number | null;
        /** @description What was sent, in a few words */
        title: string;
      }[];
      /** @description The verdict in plain words */
      sentence: string;
      /**
       * @description `accepts_recorded`: refuses forgeries, but accepts recorded requests again. `cannot_tell`: replies 2xx to all of them, or does not reply to each. `ping_failed`: nothing but the genuine ping was sent
       * @enum {string}
       */
      verdict:
        | "refuses_forgeries"
        | "accepts_recorded"
        | "accepts_forgeries"
        | "cannot_tell"
        | "ping_failed";
    };
    CurrentSession: {
      /** @description CIDRs that receivers may have although not public */
      allowTargets: string[];
      /** @description Of resource pages */
      baseUrl: string;
      development: boolean;
      /** @description A webhook is disabled that has failed for so long */
      disableAfterMs: number;
      /** @description Nothing is sent except to `allowTargets` */
      dryRun: boolean;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      expiresAt: string | null;
      headerNames: {
        attempt: string;
        deliveryId: string;
        hookId: string;
        resourceId: string;
        signature: string;
        signatureNext: string;
        version: string;
      };
      id: string;
      /** @enum {string} */
      kind: "session" | "key";
      /** @description Null: a key, which sees everything */
      ownerId: string | null;
      /**
       * Format: date-time
       * @description When renewals end; null: it cannot be renewed
       */
      renewableUntil: string | null;
      resourceId: string | null;
      returnUrl: string | null;
      scopes: string[];
      serviceName: string;
      /** @enum {string} */
      store: "sqlite" | "postgres";
      version: string;
    };
    Delivery: {
      /** @description Requests made so far */
      attempts: number;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      /** @description What was reported for the log only, such as `buyerName` and `amount`; or null */
      details: unknown;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      dueAt: string | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      endedAt: string | null;
      event: string;
      eventId: string;
      id: string;
      lastOutcome: string | null;
      lastStatus: number | null;
      /** @enum {string} */
      origin: "event" | "redelivery" | "ping";
      /** @description Why it ended, if the state does not say it; `quarantined`: the service ended while sending it, so it is sent alone and later */
      reason: string | null;
      resourceId: string;
      /** @enum {string} */
      state: "pending" | "waiting" | "leased" | "held" | "delivered" | "dead" | "cancelled";
      /** @description Of the event, Unix seconds */
      time: number;
      userId: number | null;
      /** @description Of an update: the new file version's label */
      version: string | null;
      webhookId: string;
    };
    DeliveryDetail: {
      /** @description The newest 50, in order of `number`; `attempts` counts all */
      attemptList: components["schemas"]["Attempt"][];
      /** @description Requests made so far */
      attempts: number;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      /** @description What was reported for the log only, such as `buyerName` and `amount`; or null */
      details: unknown;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      dueAt: string | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      endedAt: string | null;
      event: string;
      eventId: string;
      id: string;
      lastOutcome: string | null;
      lastStatus: number | null;
      /** @description When it is tried next, and why then; null once it has ended */
      next: {
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        at: string | null;
        /**
         * @description More may come
         * @enum {string}
         */
        code:
          | "untried"
          | "failed"
          | "asked_to_wait"
          | "quarantined"
          | "waiting"
          | "leased"
          | "held";
        /** @description The code as a sentence */
        reason: string;
      } | null;
      /** @enum {string} */
      origin: "event" | "redelivery" | "ping";
      payload: unknown;
      /** @description Why it ended, if the state does not say it; `quarantined`: the service ended while sending it, so it is sent alone and later */
      reason: string | null;
      resourceId: string;
      /** @enum {string} */
      state: "pending" | "waiting" | "leased" | "held" | "delivered" | "dead" | "cancelled";
      /** @description Of the event, Unix seconds */
      time: number;
      userId: number | null;
      /** @description Of an update: the new file version's label */
      version: string | null;
      webhookId: string;
    };
    Event: {
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      acceptedAt: string;
      /** @description As reported, or null */
      details: unknown;
      /** @description Its user was erased */
      erased: boolean;
      event: string;
      id: string;
      /** @description As receivers get it */
      payload: unknown;
      resourceId: string;
      /** @description Unix seconds */
      time: number;
      userId: number | null;
    };
    EventExplanation: {
      event: components["schemas"]["EventSummary"];
      /** @description One line per webhook of the resource; the newest first */
      webhooks: {
        /** @description The delivery before it */
        behindDeliveryId?: string;
        deliveryId?: string;
        /** @description It can be sent there all the same: replay with `include: missing` */
        missing?: boolean;
        /** @description For the owner */
        sentence: string;
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        since?: string;
        /** @description Without the part that is a secret of its owner */
        url: string;
        /** @enum {string} */
        verdict:
          | "sent"
          | "pending"
          | "waiting"
          | "held"
          | "not_chosen"
          | "paused_since"
          | "disabled"
          | "created_later"
          | "deleted"
          | "blocked_address"
          | "failed"
          | "cancelled";
        webhookId: string;
      }[];
    };
    EventReport: components["schemas"]["UserEventReport"] | components["schemas"]["UpdateReport"];
    EventReportItem: components["schemas"]["UserEventItem"] | components["schemas"]["UpdateItem"];
    EventResult: {
      /** @description If rejected; a code of the catalogue */
      code?: string;
      /** @description If accepted */
      deliveries?: number;
      detail?: string;
      /** @description Unless rejected */
      eventId?: string;
      /** @description JSON Pointer into the whole body */
      pointer?: string;
      /** @enum {string} */
      status: "accepted" | "duplicate" | "rejected";
      title?: string;
    };
    EventSummary: {
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      acceptedAt: string;
      /** @description Its user was erased */
      erased: boolean;
      event: string;
      id: string;
      resourceId: string;
      /** @description Unix seconds */
      time: number;
      userId: number | null;
    };
    ImportResult: {
      /** @description If rejected; a code of the catalogue */
      code?: string;
      detail?: string;
      /** @description JSON Pointer into the whole body */
      pointer?: string;
      /**
       * @description Unchanged: imported before, or nothing in it is new
       * @enum {string}
       */
      status: "created" | "updated" | "unchanged" | "rejected";
      title?: string;
      /** @description The id that a stored webhook has in this service */
      webhookId?: string;
    };
    NewApiKey: {
      /** @description None: from anywhere */
      addresses: string[];
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      expiresAt: string | null;
      id: string;
      /** @description Shown this once */
      key: string;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      lastUsedAt: string | null;
      name: string;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      revokedAt: string | null;
      scopes: string[];
    };
    NewPortalSession: {
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      expiresAt: string;
      id: string;
      ownerId: string;
      /** @description The only one it sees; null: all of the owner */
      resourceId: string | null;
      /** @description Opens the page. Its code is good once, within five minutes, and is only here */
      url: string;
    };
    NewWebhook: {
      chat: components["schemas"]["ChatOptions"] | null;
      /** @description Why a message of the owner's own could not be used since it was last changed */
      chatFault: string | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      description: string;
      /** @enum {string|null} */
      disabledReason:
        | "failing"
        | "gone"
        | "receiver_request"
        | "owner_changed"
        | "chat_deleted"
        | "chat_token"
        | "chat_forbidden"
        | null;
      /** @description Held deliveries are being cancelled */
      dropping: boolean;
      events: string[] | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      failingSince: string | null;
      /**
       * @description `json`: signed requests; otherwise messages in a chat
       * @enum {string}
       */
      format: "json" | "discord" | "slack";
      /** @description Deliveries of the last seven days that are not tried again and that nobody has sent again, and the hour of the first */
      givenUp: {
        count: number;
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        since: string;
      } | null;
      health: {
        /** @description Requests of the last 24 hours by hour, oldest first, the present one last */
        hours: {
          failed: number;
          ok: number;
        }[];
        lastAttempt: {
          /**
           * Format: date-time
           * @description RFC 3339, UTC, milliseconds
           */
          at: string;
          outcome: string;
          /** @description HTTP status, if there was an answer */
          status: number | null;
        } | null;
      };
      /** @description Held deliveries of a webhook that is not active. Not in lists */
      held?: {
        /** @description There are more */
        capped: boolean;
        count: number;
      };
      /** @description The URL's name and port */
      host: string;
      id: string;
      /** @description Whether requests carry details of events */
      includeDetails: boolean;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      lastFailureAt: string | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      lastSuccessAt: string | null;
      ownerId: string;
      /** @description What the owner should know about the URL, which is allowed */
      remarks: {
        /** @description `not_encrypted`, `address_is_number` or `same_address`, more may come */
        code: string;
        sentence: string;
      }[];
      resourceId: string;
      /** @description Open rotation; until null: switched by hand */
      rotation: {
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        until: string | null;
      } | null;
      /** @description Null: a chat gets no signed requests */
      secret: string | null;
      /** @description Whether `webhook-signature` is sent. False: an imported secret is not base64 */
      standardSignature: boolean;
      /** @enum {string} */
      state: "active" | "paused" | "disabled";
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      updatedAt: string;
      /** @description The shown form: path and query are a secret, and `…` replaces them. `GET /webhooks/{id}/url` reveals them */
      url: string;
      /** @description Changes whenever the URL changes, also if the shown form stays the same */
      urlVersion: string;
    };
    Notice: {
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      /** @description Facts, without secrets; times are RFC 3339 */
      detail: {
        [key: string]: unknown;
      };
      kind: string;
      /** @description Grows; go on with `after` */
      no: number;
      ownerId: string;
      resourceId: string;
      webhookId: string | null;
    };
    OpenedPortalSession: {
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      expiresAt: string;
      id: string;
      ownerId: string;
      /** @description The only one it sees; null: all of the owner */
      resourceId: string | null;
      returnUrl: string | null;
      /** @description Bearer token `mhs_…`; only here, a hash of it is stored */
      token: string;
    };
    OperatorOverview: {
      allowTargets: string[];
      /** @description Of this instance, over the last 15 minutes; the 20 busiest hosts */
      attempts: {
        count: number;
        host: string;
        outcome: string;
      }[];
      /** @description The last 20 that are not of portal sessions, among the last 100,000 of all; newest first */
      changes: components["schemas"]["AuditEntry"][];
      /** @description Of this instance, over the last minute */
      deliveriesPerSecond: number;
      /** @description The 20 that were changed last */
      disabledList: {
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        failingSince: string | null;
        host: string;
        id: string;
        ownerId: string;
        reason: string | null;
        resourceId: string;
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        updatedAt: string;
      }[];
      /** @description Nothing is sent except to `allowTargets` */
      dryRun: boolean;
      /** @description Due and not held; counted up to 100,000 */
      dueNow: number;
      /** @description Active webhooks: the 20 that began to fail last */
      failingList: {
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        failingSince: string | null;
        host: string;
        id: string;
        lastOutcome: string | null;
        /** @description HTTP status, if there was an answer */
        lastStatus: number | null;
        ownerId: string;
        resourceId: string;
      }[];
      instances: {
        name: string;
        /** @description Whether most webhooks cannot be connected to from there. While another instance can, that one sends in its place */
        networkSuspected: boolean;
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        renewedAt: string;
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        startedAt: string;
        version: string;
      }[];
      leased: number;
      /** @description An instance that does not renew its row for this long is taken for dead */
      leaseMs: number;
      masterKeys: {
        /** @description New secrets are encrypted with it */
        encrypts: boolean;
        /** @description As in what it encrypted; tells nothing of the key */
        id: string;
      }[];
      /** @description To MARKETHOOK_NOTICES_URL; null: not set, or held */
      noticePosts: {
        /** @description Of this instance's last try */
        failure: string | null;
        host: string;
        oldestSeconds: number;
        unposted: number;
      } | null;
      /** @description The last 20, newest first */
      notices: components["schemas"]["Notice"][];
      oldestDueSeconds: number;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      readAt: string;
      storeBytes: number;
      /** @enum {string} */
      storeKind: "sqlite" | "postgres";
      /** @description Deliveries that may have ended the process that sent them, by level; above 10 they are quarantined */
      suspects: {
        count: number;
        level: number;
      }[];
      uptimeSeconds: number;
      version: string;
      /** @description Not ended and not leased, held ones included */
      waiting: number;
      webhooks: {
        active: number;
        disabled: number;
        paused: number;
      };
    };
    PingResult: {
      /** @description The server's, where it was refused; in its own words */
      certificate?: components["schemas"]["Certificate"];
      deliveryId: string;
      eventId: string;
      /** @description Of a chat: why the default message stood in for the owner's own */
      fault?: string;
      outcome: string;
      /** @description The beginning of the answer's body, where it reads like a refusal although the status says accepted */
      refusal?: string;
      request: components["schemas"]["SentRequest"];
      response: components["schemas"]["ReceivedResponse"] | null;
      /** @description False: no byte of the request left, for example because no connection could be made; `request` is then what would have been sent */
      sent: boolean;
      /** @description The result in plain words */
      sentence: string;
      status: number | null;
      timings: components["schemas"]["Timings"] | null;
      /** @description Of a chat: what was cut from its message */
      warnings?: string[];
    };
    PortalSession: {
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      expiresAt: string;
      id: string;
      /**
       * Format: date-time
       * @description When its link was opened
       */
      openedAt: string | null;
      ownerId: string;
      /** @description The only one it sees; null: all of the owner */
      resourceId: string | null;
      returnUrl: string | null;
      /** @description Whether it may see secrets */
      revealSecrets: boolean;
    };
    Problem: {
      /**
       * @description Stable; match on this
       * @enum {string}
       */
      code:
        | "json_invalid"
        | "json_too_complex"
        | "json_duplicate_key"
        | "json_forbidden_key"
        | "body_missing"
        | "header_invalid"
        | "parameter_invalid"
        | "cursor_invalid"
        | "request_malformed"
        | "request_timeout"
        | "field_invalid"
        | "field_unknown"
        | "text_invalid"
        | "body_too_large"
        | "headers_too_large"
        | "content_type_unsupported"
        | "encoding_unsupported"
        | "route_not_found"
        | "method_not_allowed"
        | "unauthenticated"
        | "credential_in_url"
        | "scope_missing"
        | "address_not_allowed"
        | "key_rate_exceeded"
        | "owner_limit_reached"
        | "portal_path_invalid"
        | "portal_code_invalid"
        | "too_many_attempts"
        | "api_key_last"
        | "not_found"
        | "resource_unknown"
        | "resource_id_invalid"
        | "event_unknown"
        | "user_id_not_integer"
        | "occurred_at_in_future"
        | "previous_unknown"
        | "event_too_large"
        | "batch_too_large"
        | "idempotency_key_invalid"
        | "idempotency_key_reused"
        | "update_id_reused"
        | "url_invalid"
        | "chat_unsupported"
        | "target_blocked"
        | "webhook_limit_reached"
        | "webhook_not_active"
        | "webhook_changed"
        | "webhook_is_chat"
        | "dry_run"
        | "secret_invalid"
        | "import_conflict"
        | "rotation_open"
        | "rotation_not_open"
        | "delivery_not_ended"
        | "delivery_ended"
        | "delivery_is_ping"
        | "redelivery_out_of_order"
        | "event_erased"
        | "overloaded"
        | "outcome_unknown"
        | "store_unavailable"
        | "storage_full"
        | "too_many_streams"
        | "shutting_down"
        | "not_ready"
        | "internal"
        | "request_body_too_large"
        | "method_not_post";
      /** @description What was wrong here, and what to do */
      detail: string;
      /** @description All faulty fields, where there are several */
      errors?: {
        code: string;
        detail: string;
        pointer: string;
      }[];
      /** @description JSON Pointer into the body, or the name of a parameter */
      pointer?: string;
      requestId: string;
      status: number;
      title: string;
      /** @description Where the code is explained */
      type: string;
    };
    ReceivedFirstDownload: {
      /** @enum {string} */
      event: "product.user.firstDownload";
      /** @description Differs per request, retries too */
      nonce: string;
      payload: {
        /** @description As the marketplace reported them. Sent only to a webhook with `includeDetails`, and only with events that have some */
        details?: {
          amount?: string | number;
          buyerName?: string;
          currency?: string;
          orderId?: string;
          reason?: string;
        };
        product: {
          /** @description Of the resource */
          id: string;
          /** @description May be empty */
          subtitle: string;
          title: string;
          /** @description Of the resource's page, `{base_url}/resource/{id}` */
          url: string;
        };
        user: {
          /** @description A JSON number in every event */
          id: number;
        };
      };
      /** @description Of the event, Unix seconds */
      time: number;
    };
    ReceivedPing: {
      /** @enum {string} */
      event: "ping";
      /** @description Differs per request, retries too */
      nonce: string;
      payload: {
        product: {
          /** @description Of the resource */
          id: string;
          /** @description May be empty */
          subtitle: string;
          title: string;
          /** @description Of the resource's page, `{base_url}/resource/{id}` */
          url: string;
        };
        webhook: {
          /** @description As the owner saved it */
          url: string;
        };
      };
      /** @description Of the event, Unix seconds */
      time: number;
    };
    ReceivedPurchase: {
      /** @enum {string} */
      event: "product.user.purchase";
      /** @description Differs per request, retries too */
      nonce: string;
      payload: {
        /** @description As the marketplace reported them. Sent only to a webhook with `includeDetails`, and only with events that have some */
        details?: {
          amount?: string | number;
          buyerName?: string;
          currency?: string;
          orderId?: string;
          reason?: string;
        };
        product: {
          /** @description Of the resource */
          id: string;
          /** @description May be empty */
          subtitle: string;
          title: string;
          /** @description Of the resource's page, `{base_url}/resource/{id}` */
          url: string;
        };
        user: {
          /** @description A JSON number in every event */
          id: number;
        };
      };
      /** @description Of the event, Unix seconds */
      time: number;
    };
    ReceivedPurchaseRemoval: {
      /** @enum {string} */
      event: "product.user.purchaseRemoved";
      /** @description Differs per request, retries too */
      nonce: string;
      payload: {
        /** @description As the marketplace reported them. Sent only to a webhook with `includeDetails`, and only with events that have some */
        details?: {
          amount?: string | number;
          buyerName?: string;
          currency?: string;
          orderId?: string;
          reason?: string;
        };
        product: {
          /** @description Of the resource */
          id: string;
          /** @description May be empty */
          subtitle: string;
          title: string;
          /** @description Of the resource's page, `{base_url}/resource/{id}` */
          url: string;
        };
        user: {
          /** @description A JSON number in every event */
          id: number;
        };
      };
      /** @description Of the event, Unix seconds */
      time: number;
    };
    ReceivedResponse: {
      body: string | null;
      /** @description Where the body is not UTF-8 */
      bodyBase64?: string;
      bodyTruncated?: boolean;
      /** @description [name, value], in wire order */
      headers: string[][];
      status: number;
    };
    ReceivedUpdate: {
      /** @enum {string} */
      event: "product.update";
      /** @description Differs per request, retries too */
      nonce: string;
      payload: {
        /** @description As the marketplace reported them. Sent only to a webhook with `includeDetails`, and only with events that have some */
        details?: {
          amount?: string | number;
          buyerName?: string;
          currency?: string;
          orderId?: string;
          reason?: string;
        };
        /** @description The version before */
        previous: {
          /** @description Such as `release` or `snapshot` */
          branch: string;
          /** @description File extension */
          fileType: string;
          /** @description Of the update's record */
          id: string;
          /** @description Bytes, in decimal digits */
          size: string;
          /** @description Of that version's release, Unix seconds */
          time: number;
          /** @description Version label */
          version: string;
        };
        product: {
          /** @description Of the resource */
          id: string;
          /** @description May be empty */
          subtitle: string;
          title: string;
          /** @description Of the resource's page, `{base_url}/resource/{id}` */
          url: string;
        };
        /** @description The new version */
        update: {
          /** @description Such as `release` or `snapshot` */
          branch: string;
          /** @description Of the update: text, as it was reported */
          description: string;
          /** @description File extension */
          fileType: string;
          /** @description Of the update's record */
          id: string;
          /** @description Bytes, in decimal digits */
          size: string;
          /** @description Of that version's release, Unix seconds */
          time: number;
          /** @description Of the update */
          title: string;
          /** @description Version label */
          version: string;
        };
      };
      /** @description Of the event, Unix seconds */
      time: number;
    };
    RenewedPortalSession: {
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      expiresAt: string;
      id: string;
      ownerId: string;
      /**
       * Format: date-time
       * @description When renewals end; null: it cannot be renewed
       */
      renewableUntil: string | null;
      /** @description The only one it sees; null: all of the owner */
      resourceId: string | null;
    };
    Resource: {
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      fileVersion: {
        branch: string;
        fileType: string;
        id: string;
        size: string;
        time: number;
        version: string;
      } | null;
      id: string;
      ownerId: string;
      subtitle: string;
      title: string;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      updatedAt: string;
      /** @description Of the resource's page, as in payloads */
      url: string;
    };
    SentRequest: {
      body: string;
      /** @description [name, value], in wire order; signatures are `…` for callers without `secrets:read` */
      headers: string[][];
      method: string;
      url: string;
    };
    Timings: {
      connectMs: number | null;
      dnsMs: number | null;
      firstByteMs: number | null;
      tlsMs: number | null;
      totalMs: number;
    };
    UpdateItem: {
      /** @description For chat messages and the log. Part of the signed body only at a webhook with `includeDetails` */
      details?: {
        amount?: string | number;
        buyerName?: string;
        currency?: string;
        orderId?: string;
        reason?: string;
      };
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      event: "product.update";
      /** @description The id of the order line or refund line, so that a repeated report is recognised. It counts within its resource. Never made of resource, user and event: the same user can buy twice. */
      idempotencyKey?: string;
      /** @description Unix seconds, at most 5 minutes ahead; becomes `time`. Default: now */
      occurredAt?: number;
      /** @description The file version before. Default: the last one known */
      previous?: {
        /** @default release */
        branch?: string;
        fileType: string;
        /** @description Of the update's own record, in the form of a resource id */
        id: string;
        /** @description Bytes; digits or an integer, sent as digits */
        size: string | number;
        /** @description Unix seconds */
        time: number;
        version: string;
      };
      /** @description Stored together with the event, as by PUT */
      resource?: {
        /** @description The current file version; with `product.update` the one before it. Default: the last one known */
        fileVersion?: {
          /** @default release */
          branch?: string;
          fileType: string;
          /** @description Of the update's own record, in the form of a resource id */
          id: string;
          /** @description Bytes; digits or an integer, sent as digits */
          size: string | number;
          /** @description Unix seconds */
          time: number;
          version: string;
        };
        ownerId: string;
        /** @description Left out, the known one stays; a new resource has an empty one */
        subtitle?: string;
        title: string;
      };
      resourceId: string;
      /** @description The new file version: of `product.update`, and only of it */
      update: {
        /** @default release */
        branch?: string;
        /** @description Plain text, sent on as it is. Receivers and chat messages show it as text: HTML and Markdown are not rendered */
        description: string;
        fileType: string;
        /** @description Of the update's own record, in the form of a resource id */
        id: string;
        /** @description Bytes; digits or an integer, sent as digits */
        size: string | number;
        /** @description Unix seconds. Default: `occurredAt` */
        time?: number;
        title: string;
        version: string;
      };
    };
    UpdateReport: {
      /** @description For chat messages and the log. Part of the signed body only at a webhook with `includeDetails` */
      details?: {
        amount?: string | number;
        buyerName?: string;
        currency?: string;
        orderId?: string;
        reason?: string;
      };
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      event: "product.update";
      /** @description The id of the order line or refund line, so that a repeated report is recognised. It counts within its resource. Never made of resource, user and event: the same user can buy twice. */
      idempotencyKey?: string;
      /** @description Unix seconds, at most 5 minutes ahead; becomes `time`. Default: now */
      occurredAt?: number;
      /** @description The file version before. Default: the last one known */
      previous?: {
        /** @default release */
        branch?: string;
        fileType: string;
        /** @description Of the update's own record, in the form of a resource id */
        id: string;
        /** @description Bytes; digits or an integer, sent as digits */
        size: string | number;
        /** @description Unix seconds */
        time: number;
        version: string;
      };
      /** @description Stored together with the event, as by PUT */
      resource?: {
        /** @description The current file version; with `product.update` the one before it. Default: the last one known */
        fileVersion?: {
          /** @default release */
          branch?: string;
          fileType: string;
          /** @description Of the update's own record, in the form of a resource id */
          id: string;
          /** @description Bytes; digits or an integer, sent as digits */
          size: string | number;
          /** @description Unix seconds */
          time: number;
          version: string;
        };
        ownerId: string;
        /** @description Left out, the known one stays; a new resource has an empty one */
        subtitle?: string;
        title: string;
      };
      /** @description The new file version: of `product.update`, and only of it */
      update: {
        /** @default release */
        branch?: string;
        /** @description Plain text, sent on as it is. Receivers and chat messages show it as text: HTML and Markdown are not rendered */
        description: string;
        fileType: string;
        /** @description Of the update's own record, in the form of a resource id */
        id: string;
        /** @description Bytes; digits or an integer, sent as digits */
        size: string | number;
        /** @description Unix seconds. Default: `occurredAt` */
        time?: number;
        title: string;
        version: string;
      };
    };
    UrlCheck: {
      /** @description Chosen where none are; null: all events */
      defaultEvents: string[] | null;
      faults: {
        code: string;
        sentence: string;
      }[];
      /** @description `json`, or the chat platform whose address it is */
      format: string;
      /** @description The chat platform's name for people */
      label: string | null;
      ok: boolean;
      /** @description What the owner should know about the URL, which is allowed */
      remarks: {
        /** @description `not_encrypted`, `address_is_number` or `same_address`, more may come */
        code: string;
        sentence: string;
      }[];
      /** @description Of a chat: without what lets one post */
      shownUrl: string;
    };
    UserEventItem: {
      /** @description For chat messages and the log. Part of the signed body only at a webhook with `includeDetails` */
      details?: {
        amount?: string | number;
        buyerName?: string;
        currency?: string;
        orderId?: string;
        reason?: string;
      };
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      event:
        | "product.user.purchase"
        | "product.user.purchaseRemoved"
        | "product.user.firstDownload";
      /** @description The id of the order line or refund line, so that a repeated report is recognised. It counts within its resource. Never made of resource, user and event: the same user can buy twice. */
      idempotencyKey?: string;
      /** @description Unix seconds, at most 5 minutes ahead; becomes `time`. Default: now */
      occurredAt?: number;
      /** @description Stored together with the event, as by PUT */
      resource?: {
        /** @description The current file version; with `product.update` the one before it. Default: the last one known */
        fileVersion?: {
          /** @default release */
          branch?: string;
          fileType: string;
          /** @description Of the update's own record, in the form of a resource id */
          id: string;
          /** @description Bytes; digits or an integer, sent as digits */
          size: string | number;
          /** @description Unix seconds */
          time: number;
          version: string;
        };
        ownerId: string;
        /** @description Left out, the known one stays; a new resource has an empty one */
        subtitle?: string;
        title: string;
      };
      resourceId: string;
      /** @description The buyer: of the user events, and only of these */
      user: {
        id: number;
      };
    };
    UserEventReport: {
      /** @description For chat messages and the log. Part of the signed body only at a webhook with `includeDetails` */
      details?: {
        amount?: string | number;
        buyerName?: string;
        currency?: string;
        orderId?: string;
        reason?: string;
      };
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      event:
        | "product.user.purchase"
        | "product.user.purchaseRemoved"
        | "product.user.firstDownload";
      /** @description The id of the order line or refund line, so that a repeated report is recognised. It counts within its resource. Never made of resource, user and event: the same user can buy twice. */
      idempotencyKey?: string;
      /** @description Unix seconds, at most 5 minutes ahead; becomes `time`. Default: now */
      occurredAt?: number;
      /** @description Stored together with the event, as by PUT */
      resource?: {
        /** @description The current file version; with `product.update` the one before it. Default: the last one known */
        fileVersion?: {
          /** @default release */
          branch?: string;
          fileType: string;
          /** @description Of the update's own record, in the form of a resource id */
          id: string;
          /** @description Bytes; digits or an integer, sent as digits */
          size: string | number;
          /** @description Unix seconds */
          time: number;
          version: string;
        };
        ownerId: string;
        /** @description Left out, the known one stays; a new resource has an empty one */
        subtitle?: string;
        title: string;
      };
      /** @description The buyer: of the user events, and only of these */
      user: {
        id: number;
      };
    };
    Verification: {
      cause?: {
        /** @description What to do */
        advice: string;
        code: string;
        /** @description What is wrong */
        sentence: string;
      };
      /** @description Name of the event in a valid request */
      event?: string;
      valid: boolean;
    };
    Webhook: {
      chat: components["schemas"]["ChatOptions"] | null;
      /** @description Why a message of the owner's own could not be used since it was last changed */
      chatFault: string | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      createdAt: string;
      description: string;
      /** @enum {string|null} */
      disabledReason:
        | "failing"
        | "gone"
        | "receiver_request"
        | "owner_changed"
        | "chat_deleted"
        | "chat_token"
        | "chat_forbidden"
        | null;
      /** @description Held deliveries are being cancelled */
      dropping: boolean;
      events: string[] | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      failingSince: string | null;
      /**
       * @description `json`: signed requests; otherwise messages in a chat
       * @enum {string}
       */
      format: "json" | "discord" | "slack";
      /** @description Deliveries of the last seven days that are not tried again and that nobody has sent again, and the hour of the first */
      givenUp: {
        count: number;
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        since: string;
      } | null;
      health: {
        /** @description Requests of the last 24 hours by hour, oldest first, the present one last */
        hours: {
          failed: number;
          ok: number;
        }[];
        lastAttempt: {
          /**
           * Format: date-time
           * @description RFC 3339, UTC, milliseconds
           */
          at: string;
          outcome: string;
          /** @description HTTP status, if there was an answer */
          status: number | null;
        } | null;
      };
      /** @description Held deliveries of a webhook that is not active. Not in lists */
      held?: {
        /** @description There are more */
        capped: boolean;
        count: number;
      };
      /** @description The URL's name and port */
      host: string;
      id: string;
      /** @description Whether requests carry details of events */
      includeDetails: boolean;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      lastFailureAt: string | null;
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      lastSuccessAt: string | null;
      ownerId: string;
      resourceId: string;
      /** @description Open rotation; until null: switched by hand */
      rotation: {
        /**
         * Format: date-time
         * @description RFC 3339, UTC, milliseconds
         */
        until: string | null;
      } | null;
      /** @description Whether `webhook-signature` is sent. False: an imported secret is not base64 */
      standardSignature: boolean;
      /** @enum {string} */
      state: "active" | "paused" | "disabled";
      /**
       * Format: date-time
       * @description RFC 3339, UTC, milliseconds
       */
      updatedAt: string;
      /** @description The shown form: path and query are a secret, and `…` replaces them. `GET /webhooks/{id}/url` reveals them */
      url: string;
      /** @description Changes whenever the URL changes, also if the shown form stays the same */
      urlVersion: string;
    };
  };
  responses: {
    /** @description `api_key_last` */
    api_key_last: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `body_too_large` */
    body_too_large: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `content_type_unsupported`, `encoding_unsupported` */
    content_type_unsupported_or_encoding_unsupported: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `credential_in_url`, `cursor_invalid`, `parameter_invalid` */
    credential_in_url_or_cursor_invalid_or_parameter_invalid: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `credential_in_url`, `parameter_invalid` */
    credential_in_url_or_parameter_invalid: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `delivery_ended`, `webhook_not_active`, `dry_run` */
    delivery_ended_or_webhook_not_active_or_dry_run: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `dry_run`, `webhook_not_active`, `rotation_not_open` */
    dry_run_or_webhook_not_active_or_rotation_not_open: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `dry_run`, `webhook_not_active`, `webhook_is_chat` */
    dry_run_or_webhook_not_active_or_webhook_is_chat: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `field_invalid`, `field_unknown`, `text_invalid` */
    field_invalid_or_field_unknown_or_text_invalid: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `idempotency_key_reused`, `update_id_reused` */
    idempotency_key_reused_or_update_id_reused: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `internal` */
    internal: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `key_rate_exceeded`, `owner_limit_reached` */
    key_rate_exceeded_or_owner_limit_reached: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `not_found` */
    not_found: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `not_ready`, `store_unavailable` */
    not_ready_or_store_unavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `overloaded`, `shutting_down`, `store_unavailable` */
    overloaded_or_shutting_down_or_store_unavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `overloaded`, `storage_full`, `store_unavailable` */
    overloaded_or_storage_full_or_store_unavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `overloaded`, `store_unavailable` */
    overloaded_or_store_unavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `parameter_invalid` */
    parameter_invalid: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `portal_code_invalid` */
    portal_code_invalid: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `resource_id_invalid` */
    resource_id_invalid: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `resource_unknown` */
    resource_unknown: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `rotation_not_open` */
    rotation_not_open: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `scope_missing`, `address_not_allowed` */
    scope_missing_or_address_not_allowed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `store_unavailable` */
    store_unavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `too_many_attempts` */
    too_many_attempts: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `too_many_streams`, `shutting_down`, `store_unavailable` */
    too_many_streams_or_shutting_down_or_store_unavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `unauthenticated` */
    unauthenticated: {
      headers: {
        "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `webhook_changed` */
    webhook_changed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `webhook_is_chat` */
    webhook_is_chat: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `webhook_is_chat`, `rotation_open` */
    webhook_is_chat_or_rotation_open: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `webhook_limit_reached` */
    webhook_limit_reached: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `webhook_limit_reached`, `import_conflict` */
    webhook_limit_reached_or_import_conflict: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `webhook_not_active` */
    webhook_not_active: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description `webhook_not_active`, `dry_run` */
    webhook_not_active_or_dry_run: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description Seconds to wait before the next try */
    "Retry-After": number;
    /** @description How to authenticate: with a key, as a bearer token */
    "WWW-Authenticate": string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  index: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            links: {
              [key: string]: string;
            };
            service: string;
            version: string;
          };
        };
      };
      400: components["responses"]["parameter_invalid"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  health: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            status: string;
          };
        };
      };
      400: components["responses"]["parameter_invalid"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  metrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/plain": string;
        };
      };
      400: components["responses"]["parameter_invalid"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  readiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            checks: {
              [key: string]: string;
            };
            status: string;
          };
        };
      };
      400: components["responses"]["parameter_invalid"];
      500: components["responses"]["internal"];
      503: components["responses"]["not_ready_or_store_unavailable"];
    };
  };
  getActivity: {
    parameters: {
      query?: {
        /** @description Unix seconds, taken back to the full hour; a day before `to` if absent */
        from?: number;
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
        /** @description Of this resource only */
        resourceId?: string;
        /** @description Hours of each point */
        stepHours?: number;
        /** @description Unix seconds, exclusive; now if absent */
        to?: number;
        /** @description Of this webhook only */
        webhookId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            from: string;
            /** @description In order, also those in which nothing was sent */
            points: {
              /**
               * Format: date-time
               * @description RFC 3339, UTC, milliseconds
               */
              at: string;
              /** @description Deliveries that arrived */
              delivered: number;
              /** @description Deliveries that were given up after a failed attempt */
              givenUp: number;
              /** @description Milliseconds of an attempt that got a reply, from connecting to the reply's end. Estimated from ten ranges: 20, 50, 100, 200, 500 ms, 1, 2, 5, 10 s and more. Null: no reply came */
              replyMs: {
                /** @description Half of the replies took no longer */
                p50: number;
                /** @description 95 of 100 replies took no longer */
                p95: number;
              } | null;
              /** @description Failed attempts that are followed by another one */
              retried: number;
            }[];
            stepHours: number;
            /**
             * Format: date-time
             * @description End of the last point, RFC 3339, UTC
             */
            to: string;
            /** @description The whole range */
            total: {
              /** @description Deliveries that arrived */
              delivered: number;
              /** @description Deliveries that were given up after a failed attempt */
              givenUp: number;
              /** @description Milliseconds of an attempt that got a reply, from connecting to the reply's end. Estimated from ten ranges: 20, 50, 100, 200, 500 ms, 1, 2, 5, 10 s and more. Null: no reply came */
              replyMs: {
                /** @description Half of the replies took no longer */
                p50: number;
                /** @description 95 of 100 replies took no longer */
                p95: number;
              } | null;
              /** @description Failed attempts that are followed by another one */
              retried: number;
            };
          };
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      422: components["responses"]["resource_id_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  listApiKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            items: components["schemas"]["ApiKey"][];
          };
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Addresses and CIDRs that it may be used from, e.g. `192.0.2.0/24`. Default: anywhere */
          addresses?: string[];
          /**
           * Format: date-time
           * @description RFC 3339. Default: never
           */
          expiresAt?: string | null;
          name: string;
          /** @description `events:write`: report events; `resources:write`: add, change and delete resources; `resources:read`: read resources; `webhooks:write`: add, change, ping and delete webhooks; the answer shows a new secret; `webhooks:read`: read webhooks, without their secrets and of their URLs the host; `secrets:read`: read the secrets and the whole URLs of all webhooks; `deliveries:read`: read events and deliveries, with their payloads; `deliveries:write`: send again, send now, replay; `notices:read`: read notices to owners; `portal:write`: make portal sessions for any owner, and so do all that owners may: also read their secrets; `operator:read`: read the operator's overview; `audit:read`: read the audit log; `users:erase`: erase users; `admin`: all of these, import, and manage keys */
          scopes: (
            | "events:write"
            | "resources:write"
            | "resources:read"
            | "webhooks:write"
            | "webhooks:read"
            | "secrets:read"
            | "deliveries:read"
            | "deliveries:write"
            | "notices:read"
            | "portal:write"
            | "operator:read"
            | "audit:read"
            | "users:erase"
            | "admin"
          )[];
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewApiKey"];
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  revokeApiKey: {
    parameters: {
      query?: {
        /** @description Revoke the last key that can make keys all the same */
        confirm?: boolean;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["api_key_last"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  listAudit: {
    parameters: {
      query?: {
        /** @description Of this action only */
        action?:
          | "webhook.create"
          | "webhook.copy"
          | "webhook.change"
          | "webhook.delete"
          | "webhook.pause"
          | "webhook.resume"
          | "webhook.disable"
          | "webhook.recover"
          | "webhook.replay"
          | "webhook.send_waiting"
          | "webhook.stop_waiting"
          | "url.reveal"
          | "secret.reveal"
          | "secret.rotate"
          | "secret.switch"
          | "secret.cancel_rotation"
          | "delivery.redeliver"
          | "delivery.send_now"
          | "resource.create"
          | "resource.change"
          | "resource.delete"
          | "api_key.create"
          | "api_key.revoke"
          | "portal_session.create"
          | "portal_session.open"
          | "portal_session.renew"
          | "portal_session.revoke"
          | "import.run"
          | "user.erase"
          | "user.erased";
        /** @description By the key or session with this id only */
        actorId?: string;
        /** @description From the page before */
        cursor?: string;
        /** @description Made at or after; Unix seconds */
        from?: number;
        /** @description The most items that the answer has */
        limit?: number;
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
        /** @description Of this resource only */
        resourceId?: string;
        /** @description Of the webhook, resource, key or other thing with this id only */
        subjectId?: string;
        /** @description Made before; Unix seconds */
        to?: number;
        /** @description Leaves out changes of this kind of subject */
        without?:
          | "webhook"
          | "delivery"
          | "resource"
          | "api_key"
          | "portal_session"
          | "import"
          | "user";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            items: components["schemas"]["AuditEntry"][];
            /** @description For the next page; null on the last one */
            nextCursor: string | null;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_cursor_invalid_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  checkAudit: {
    parameters: {
      query?: {
        /** @description `next` of the answer before; left out: from the first row on */
        after?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditCheck"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description From the page before */
        cursor?: string;
        /** @description Of events of this name only */
        event?:
          | "ping"
          | "product.update"
          | "product.user.purchase"
          | "product.user.purchaseRemoved"
          | "product.user.firstDownload";
        /** @description Made at or after; Unix seconds */
        from?: number;
        /** @description The most items that the answer has */
        limit?: number;
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
        /** @description Of this resource only */
        resourceId?: string;
        /** @description The exact id of a delivery or an event; or part of a value of the payload or the details, such as the number of an order or a buyer, or of a reply. Upper and lower case are the same. Reads the newest 5,000 deliveries that match the other filters, for two seconds at most; go on with `nextCursor` */
        search?: string;
        /** @description In this state only. `pending`: due now or later; `waiting`: behind an earlier event about the same buyer or resource; `leased`: being sent; `held`: its webhook is paused or disabled */
        state?: "pending" | "waiting" | "leased" | "held" | "delivered" | "dead" | "cancelled";
        /** @description HTTP status of the last attempt */
        status?: number;
        /** @description First digit of that status: 5 for 5xx */
        statusClass?: number;
        /** @description Made before; Unix seconds */
        to?: number;
        /** @description About this buyer only */
        userId?: number;
        /** @description Of this webhook only */
        webhookId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            items: components["schemas"]["Delivery"][];
            /** @description For the next page; null on the last one */
            nextCursor: string | null;
            searched?: {
              /**
               * Format: date-time
               * @description Creation of the oldest of them; null: none was searched
               */
              backTo: string | null;
              /** @description Number of deliveries searched for this page */
              deliveries: number;
            };
          };
        };
      };
      400: components["responses"]["credential_in_url_or_cursor_invalid_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  getDelivery: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliveryDetail"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  redeliver: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description Also after a later event about the same buyer
           * @default false
           */
          confirm?: boolean;
        };
      };
    };
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            deliveryId: string;
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      /** @description `delivery_not_ended`, `delivery_is_ping`, `dry_run`, `event_erased`, `redelivery_out_of_order` */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  sendNow: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            deliveryId: string;
            /** @description Deliveries about the same buyer that go before it */
            earlier: number;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["delivery_ended_or_webhook_not_active_or_dry_run"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  streamDeliveries: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
        /** @description Of this resource only */
        resourceId?: string;
        /** @description Of this webhook only */
        webhookId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["too_many_streams_or_shutting_down_or_store_unavailable"];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description From the page before */
        cursor?: string;
        /** @description The most items that the answer has */
        limit?: number;
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
        /** @description Of this resource only */
        resourceId?: string;
        /** @description About this buyer only */
        userId?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            items: components["schemas"]["EventSummary"][];
            /** @description For the next page; null on the last one */
            nextCursor: string | null;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_cursor_invalid_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  reportEvents: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          events: components["schemas"]["EventReportItem"][];
        };
      };
    };
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            results: components["schemas"]["EventResult"][];
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `header_invalid`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["resource_unknown"];
      409: components["responses"]["idempotency_key_reused_or_update_id_reused"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `event_unknown`, `resource_id_invalid`, `user_id_not_integer`, `occurred_at_in_future`, `previous_unknown`, `event_too_large`, `idempotency_key_invalid`, `batch_too_large` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      /** @description `overloaded`, `outcome_unknown`, `storage_full`, `shutting_down`, `store_unavailable` */
      503: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getEvent: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Event"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  explainEvent: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EventExplanation"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  importRecords: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The same answers, and nothing is changed
           * @default false
           */
          dryRun?: boolean;
          records: (
            | {
                fileVersion?: {
                  /** @default release */
                  branch?: string;
                  fileType: string;
                  /** @description Of the update's own record, in the form of a resource id */
                  id: string;
                  /** @description Bytes; digits or an integer, sent as digits */
                  size: string | number;
                  /** @description Unix seconds */
                  time: number;
                  version: string;
                };
                id: string;
                /** @enum {string} */
                kind: "resource";
                ownerId: string;
                /** @description Left out, the known one stays; a new resource has an empty one */
                subtitle?: string;
                title: string;
              }
            | {
                /** @description Of a webhook with a chat platform's URL: its messages, all of them at once */
                chat?: {
                  messages?: {
                    ping?: {
                      /** @description 0xRRGGBB */
                      colour?: number;
                      /** @description False: without the fields below title and text */
                      fields?: boolean;
                      /** @description The one role that this event's message mentions */
                      mentionRoleId?: string;
                      /** @description With placeholders */
                      text?: string;
                      /** @description With placeholders such as {resource} */
                      title?: string;
                    };
                    "product.update"?: {
                      /** @description 0xRRGGBB */
                      colour?: number;
                      /** @description False: without the fields below title and text */
                      fields?: boolean;
                      /** @description The one role that this event's message mentions */
                      mentionRoleId?: string;
                      /** @description With placeholders */
                      text?: string;
                      /** @description With placeholders such as {resource} */
                      title?: string;
                    };
                    "product.user.firstDownload"?: {
                      /** @description 0xRRGGBB */
                      colour?: number;
                      /** @description False: without the fields below title and text */
                      fields?: boolean;
                      /** @description The one role that this event's message mentions */
                      mentionRoleId?: string;
                      /** @description With placeholders */
                      text?: string;
                      /** @description With placeholders such as {resource} */
                      title?: string;
                    };
                    "product.user.purchase"?: {
                      /** @description 0xRRGGBB */
                      colour?: number;
                      /** @description False: without the fields below title and text */
                      fields?: boolean;
                      /** @description The one role that this event's message mentions */
                      mentionRoleId?: string;
                      /** @description With placeholders */
                      text?: string;
                      /** @description With placeholders such as {resource} */
                      title?: string;
                    };
                    "product.user.purchaseRemoved"?: {
                      /** @description 0xRRGGBB */
                      colour?: number;
                      /** @description False: without the fields below title and text */
                      fields?: boolean;
                      /** @description The one role that this event's message mentions */
                      mentionRoleId?: string;
                      /** @description With placeholders */
                      text?: string;
                      /** @description With placeholders such as {resource} */
                      title?: string;
                    };
                  };
                  /**
                   * @description Of a refund or chargeback: a message of its own, or the sale's message changed
                   * @enum {string}
                   */
                  refunds?: "post" | "edit";
                  /** @description Null: the chat itself, not a thread of it */
                  threadId?: string | null;
                };
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds
                 */
                createdAt?: string;
                description?: string;
                /** @description Null: all events, also those of later versions */
                events?:
                  | (
                      | "product.update"
                      | "product.user.purchase"
                      | "product.user.purchaseRemoved"
                      | "product.user.firstDownload"
                    )[]
                  | null;
                /** @description Its id in the earlier system, by which a later import finds it again. Left out: it is found by its URL and secret */
                importId?: string;
                /** @description Whether requests carry what was reported as `details` of an event, personal data among it, as `payload.details`. A chat's messages do not depend on it */
                includeDetails?: boolean;
                /** @enum {string} */
                kind: "webhook";
                resourceId: string;
                /** @description Used unchanged. May be left out with the URL of a chat, where nothing is signed */
                secret?: string;
                /**
                 * @default active
                 * @enum {string}
                 */
                state?: "active" | "paused";
                /** @description http or https; requests go to exactly this path and query. Or the address of a chat platform's webhook. Stored encrypted; answers show its host only */
                url: string;
              }
            | {
                /** @description Unix seconds. Not stored; only the fact is kept */
                at?: number;
                /** @enum {string} */
                kind: "firstDownload";
                resourceId: string;
                userId: number;
              }
            | {
                /** @default release */
                branch?: string;
                fileType: string;
                /** @description Of the update's own record, in the form of a resource id */
                id: string;
                /** @enum {string} */
                kind: "fileVersion";
                resourceId: string;
                /** @description Bytes; digits or an integer, sent as digits */
                size: string | number;
                /** @description Unix seconds */
                time: number;
                version: string;
              }
          )[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            results: components["schemas"]["ImportResult"][];
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["resource_unknown"];
      409: components["responses"]["webhook_limit_reached_or_import_conflict"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `batch_too_large`, `resource_id_invalid`, `user_id_not_integer`, `url_invalid`, `chat_unsupported`, `target_blocked`, `secret_invalid` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_storage_full_or_store_unavailable"];
    };
  };
  listNotices: {
    parameters: {
      query?: {
        /** @description `after` of the answer before; 0: from the oldest notice on */
        after?: number;
        /** @description The most items that the answer has */
        limit?: number;
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description For the next question */
            after: number;
            items: components["schemas"]["Notice"][];
          };
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  operatorOverview: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OperatorOverview"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  listPortalSessions: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            items: components["schemas"]["PortalSession"][];
          };
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  createPortalSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description How long the session lasts without use
           * @default 3600
           */
          lifetimeSeconds?: number;
          /**
           * @description How long it lasts with use: the page renews it by `lifetimeSeconds` until then. Not more than `lifetimeSeconds`: it is never renewed
           * @default 43200
           */
          longestSeconds?: number;
          ownerId: string;
          /** @description The place that the link opens, as `/webhooks/{id}` or `/deliveries/{id}`; the list of webhooks if left out */
          path?: string;
          /** @description Only this one of the owner's resources */
          resourceId?: string;
          /** @description Where the page's way back leads */
          returnUrl?: string;
          /**
           * @description Whether it may see the secrets of the owner's webhooks and make new ones in their place. Not needed by your own staff, who only look at what was delivered
           * @default true
           */
          revealSecrets?: boolean;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewPortalSession"];
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["resource_unknown"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `resource_id_invalid`, `portal_path_invalid` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  revokePortalSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  getCurrentSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CurrentSession"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  endCurrentSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  renewCurrentSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RenewedPortalSession"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  exchangePortalCode: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Of the link's fragment */
          code: string;
          /** @description At least 128 random bits. Anyone who repeats the call with the same one, because an answer was lost, gets the same session again */
          nonce?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OpenedPortalSession"];
        };
      };
      /** @description `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      404: components["responses"]["portal_code_invalid"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["too_many_attempts"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  listResources: {
    parameters: {
      query?: {
        /** @description From the page before */
        cursor?: string;
        /** @description The most items that the answer has */
        limit?: number;
        /** @description Of this owner only */
        ownerId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            items: components["schemas"]["Resource"][];
            /** @description For the next page; null on the last one */
            nextCursor: string | null;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_cursor_invalid_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  putResources: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          items: {
            fileVersion?: {
              /** @default release */
              branch?: string;
              fileType: string;
              /** @description Of the update's own record, in the form of a resource id */
              id: string;
              /** @description Bytes; digits or an integer, sent as digits */
              size: string | number;
              /** @description Unix seconds */
              time: number;
              version: string;
            };
            id: string;
            ownerId: string;
            /** @description Left out, the known one stays; a new resource has an empty one */
            subtitle?: string;
            title: string;
          }[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            results: {
              id: string;
              /** @enum {string} */
              status: "created" | "updated";
            }[];
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `resource_id_invalid`, `batch_too_large` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  getResource: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Resource"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  putResource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          fileVersion?: {
            /** @default release */
            branch?: string;
            fileType: string;
            /** @description Of the update's own record, in the form of a resource id */
            id: string;
            /** @description Bytes; digits or an integer, sent as digits */
            size: string | number;
            /** @description Unix seconds */
            time: number;
            version: string;
          };
          ownerId: string;
          /** @description Left out, the known one stays; a new resource has an empty one */
          subtitle?: string;
          title: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            id: string;
            /** @enum {string} */
            status: "created" | "updated";
          };
        };
      };
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            id: string;
            /** @enum {string} */
            status: "created" | "updated";
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `resource_id_invalid` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  deleteResource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  reportEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description The id of the order line or refund line, so that a repeated report is recognised. It counts within its resource. Never made of resource, user and event: the same user can buy twice. */
        "idempotency-key"?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EventReport"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Of the event that was stored before */
            eventId: string;
            /** @enum {string} */
            status: "duplicate";
          };
        };
      };
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description How many webhooks it goes to */
            deliveries: number;
            eventId: string;
            /** @enum {string} */
            status: "accepted";
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["resource_unknown"];
      409: components["responses"]["idempotency_key_reused_or_update_id_reused"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `event_unknown`, `resource_id_invalid`, `user_id_not_integer`, `occurred_at_in_future`, `previous_unknown`, `event_too_large`, `idempotency_key_invalid` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      /** @description `overloaded`, `outcome_unknown`, `storage_full`, `shutting_down`, `store_unavailable` */
      503: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listResourceWebhooks: {
    parameters: {
      query?: {
        /** @description From the page before */
        cursor?: string;
        /** @description The most items that the answer has */
        limit?: number;
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            items: components["schemas"]["Webhook"][];
            /** @description For the next page; null on the last one */
            nextCursor: string | null;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_cursor_invalid_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["resource_unknown"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  createWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Of a webhook with a chat platform's URL: its messages, all of them at once */
          chat?: {
            messages?: {
              ping?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
              "product.update"?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
              "product.user.firstDownload"?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
              "product.user.purchase"?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
              "product.user.purchaseRemoved"?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
            };
            /**
             * @description Of a refund or chargeback: a message of its own, or the sale's message changed
             * @enum {string}
             */
            refunds?: "post" | "edit";
            /** @description Null: the chat itself, not a thread of it */
            threadId?: string | null;
          };
          description?: string;
          /** @description Null: all events, also those of later versions */
          events?:
            | (
                | "product.update"
                | "product.user.purchase"
                | "product.user.purchaseRemoved"
                | "product.user.firstDownload"
              )[]
            | null;
          /** @description Whether requests carry what was reported as `details` of an event, personal data among it, as `payload.details`. A chat's messages do not depend on it */
          includeDetails?: boolean;
          /** @description An imported secret; leave it out to have one made */
          secret?: string;
          /** @description http or https; requests go to exactly this path and query. Or the address of a chat platform's webhook. Stored encrypted; answers show its host only */
          url: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewWebhook"];
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["resource_unknown"];
      409: components["responses"]["webhook_limit_reached"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `url_invalid`, `chat_unsupported`, `target_blocked`, `secret_invalid` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  eraseUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          cursor?: string;
          /**
           * @description Count only
           * @default false
           */
          dryRun?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Deliveries that had not ended, in all requests so far */
            cancelled: number;
            /** @description Repeat with it, a second later where `open` is above 0 */
            cursor: string | null;
            /** @description Deliveries of these events, in all requests so far */
            deliveries: number;
            /** @description Of the user, in all requests so far */
            events: number;
            /** @description Upper bound of the rows looked at, in all requests so far */
            examined: number;
            /** @description Events that this request left out, because a delivery of them is being sent */
            open: number;
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `cursor_invalid`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  verifyRequest: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The exact text */
          body: string;
          /** @description As they were received; case does not matter */
          headers: {
            [key: string]: string;
          };
          secret?: string;
          /** @description Instead of `secret`: by this webhook's secrets */
          webhookId?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Verification"];
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["webhook_is_chat"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /** @description From the page before */
        cursor?: string;
        /** @description The most items that the answer has */
        limit?: number;
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
        /** @description Of this resource only */
        resourceId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            items: components["schemas"]["Webhook"][];
            /** @description For the next page; null on the last one */
            nextCursor: string | null;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_cursor_invalid_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  getWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  changeWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Of a webhook with a chat platform's URL: its messages, all of them at once */
          chat?: {
            messages?: {
              ping?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
              "product.update"?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
              "product.user.firstDownload"?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
              "product.user.purchase"?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
              "product.user.purchaseRemoved"?: {
                /** @description 0xRRGGBB */
                colour?: number;
                /** @description False: without the fields below title and text */
                fields?: boolean;
                /** @description The one role that this event's message mentions */
                mentionRoleId?: string;
                /** @description With placeholders */
                text?: string;
                /** @description With placeholders such as {resource} */
                title?: string;
              };
            };
            /**
             * @description Of a refund or chargeback: a message of its own, or the sale's message changed
             * @enum {string}
             */
            refunds?: "post" | "edit";
            /** @description Null: the chat itself, not a thread of it */
            threadId?: string | null;
          };
          description?: string;
          /** @description Null: all events, also those of later versions */
          events?:
            | (
                | "product.update"
                | "product.user.purchase"
                | "product.user.purchaseRemoved"
                | "product.user.firstDownload"
              )[]
            | null;
          /** @description The values that the caller has read, as many as matter. If one has changed since, nothing is saved */
          expected?: {
            /** @description Of a webhook with a chat platform's URL: its messages, all of them at once */
            chat?: {
              messages?: {
                ping?: {
                  /** @description 0xRRGGBB */
                  colour?: number;
                  /** @description False: without the fields below title and text */
                  fields?: boolean;
                  /** @description The one role that this event's message mentions */
                  mentionRoleId?: string;
                  /** @description With placeholders */
                  text?: string;
                  /** @description With placeholders such as {resource} */
                  title?: string;
                };
                "product.update"?: {
                  /** @description 0xRRGGBB */
                  colour?: number;
                  /** @description False: without the fields below title and text */
                  fields?: boolean;
                  /** @description The one role that this event's message mentions */
                  mentionRoleId?: string;
                  /** @description With placeholders */
                  text?: string;
                  /** @description With placeholders such as {resource} */
                  title?: string;
                };
                "product.user.firstDownload"?: {
                  /** @description 0xRRGGBB */
                  colour?: number;
                  /** @description False: without the fields below title and text */
                  fields?: boolean;
                  /** @description The one role that this event's message mentions */
                  mentionRoleId?: string;
                  /** @description With placeholders */
                  text?: string;
                  /** @description With placeholders such as {resource} */
                  title?: string;
                };
                "product.user.purchase"?: {
                  /** @description 0xRRGGBB */
                  colour?: number;
                  /** @description False: without the fields below title and text */
                  fields?: boolean;
                  /** @description The one role that this event's message mentions */
                  mentionRoleId?: string;
                  /** @description With placeholders */
                  text?: string;
                  /** @description With placeholders such as {resource} */
                  title?: string;
                };
                "product.user.purchaseRemoved"?: {
                  /** @description 0xRRGGBB */
                  colour?: number;
                  /** @description False: without the fields below title and text */
                  fields?: boolean;
                  /** @description The one role that this event's message mentions */
                  mentionRoleId?: string;
                  /** @description With placeholders */
                  text?: string;
                  /** @description With placeholders such as {resource} */
                  title?: string;
                };
              };
              /**
               * @description Of a refund or chargeback: a message of its own, or the sale's message changed
               * @enum {string}
               */
              refunds?: "post" | "edit";
              /** @description Null: the chat itself, not a thread of it */
              threadId?: string | null;
            } | null;
            description?: string;
            /** @description Null: all events, also those of later versions */
            events?:
              | (
                  | "product.update"
                  | "product.user.purchase"
                  | "product.user.purchaseRemoved"
                  | "product.user.firstDownload"
                )[]
              | null;
            /** @description Whether requests carry what was reported as `details` of an event, personal data among it, as `payload.details`. A chat's messages do not depend on it */
            includeDetails?: boolean;
            urlVersion?: string;
          };
          /** @description Whether requests carry what was reported as `details` of an event, personal data among it, as `payload.details`. A chat's messages do not depend on it */
          includeDetails?: boolean;
          /** @description The shown form of the URL leaves it unchanged */
          url?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangedWebhook"];
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["webhook_changed"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `url_invalid`, `chat_unsupported`, `target_blocked` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  checkWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Checkup"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["dry_run_or_webhook_not_active_or_webhook_is_chat"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_shutting_down_or_store_unavailable"];
    };
  };
  copyWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          resourceIds: string[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            results: {
              code?: string;
              detail?: string;
              resourceId: string;
              /** @description Each copy has its own; none for a chat */
              secret?: string;
              /** @enum {string} */
              status: "created" | "rejected";
              title?: string;
              webhookId?: string;
            }[];
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `url_invalid`, `chat_unsupported`, `target_blocked`, `resource_id_invalid` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description From the page before */
        cursor?: string;
        /** @description Of events of this name only */
        event?:
          | "ping"
          | "product.update"
          | "product.user.purchase"
          | "product.user.purchaseRemoved"
          | "product.user.firstDownload";
        /** @description Made at or after; Unix seconds */
        from?: number;
        /** @description The most items that the answer has */
        limit?: number;
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
        /** @description Of this resource only */
        resourceId?: string;
        /** @description The exact id of a delivery or an event; or part of a value of the payload or the details, such as the number of an order or a buyer, or of a reply. Upper and lower case are the same. Reads the newest 5,000 deliveries that match the other filters, for two seconds at most; go on with `nextCursor` */
        search?: string;
        /** @description In this state only. `pending`: due now or later; `waiting`: behind an earlier event about the same buyer or resource; `leased`: being sent; `held`: its webhook is paused or disabled */
        state?: "pending" | "waiting" | "leased" | "held" | "delivered" | "dead" | "cancelled";
        /** @description HTTP status of the last attempt */
        status?: number;
        /** @description First digit of that status: 5 for 5xx */
        statusClass?: number;
        /** @description Made before; Unix seconds */
        to?: number;
        /** @description About this buyer only */
        userId?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            items: components["schemas"]["Delivery"][];
            /** @description For the next page; null on the last one */
            nextCursor: string | null;
            searched?: {
              /**
               * Format: date-time
               * @description Creation of the oldest of them; null: none was searched
               */
              backTo: string | null;
              /** @description Number of deliveries searched for this page */
              deliveries: number;
            };
          };
        };
      };
      400: components["responses"]["credential_in_url_or_cursor_invalid_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  listFailures: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description There may be more than the newest thousand of each kind that were looked at */
            capped: boolean;
            /** @description Newest first, five at most */
            groups: {
              /** @description Deliveries whose last attempt had this result */
              count: number;
              /** @description The newest of them */
              deliveryId: string;
              /**
               * Format: date-time
               * @description RFC 3339, UTC, milliseconds
               */
              firstAt: string;
              /** @description The number of them that is not tried again */
              givenUp: number;
              /**
               * Format: date-time
               * @description RFC 3339, UTC, milliseconds
               */
              lastAt: string;
              outcome: string;
              /** @description The beginning of the newest answer's body, on one line; empty: there is none */
              reply: string;
              /** @description False: no byte of the request left, for example because no connection could be made; `request` is then what would have been sent */
              sent: boolean;
              status: number | null;
            }[];
            /** @description Failed deliveries in groups that are left out */
            others: number;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  pauseWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["webhook_not_active"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  pingWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @default current
           * @enum {string}
           */
          secret?: "current" | "next";
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PingResult"];
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["dry_run_or_webhook_not_active_or_rotation_not_open"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_shutting_down_or_store_unavailable"];
    };
  };
  replayWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description With `include`: also sends events although a later one about the same buyer was sent
           * @default false
           */
          confirm?: boolean;
          cursor?: string;
          /**
           * @description Count only
           * @default false
           */
          dryRun?: boolean;
          events?: (
            | "product.update"
            | "product.user.purchase"
            | "product.user.purchaseRemoved"
            | "product.user.firstDownload"
          )[];
          /** @description Deliveries made, or events reported, at or after; Unix seconds */
          from: number;
          /**
           * @description Makes deliveries that never existed, instead of sending ended ones again: for events of this time, as far back as the log goes, that the webhook chooses now. Without `states`
           * @enum {string}
           */
          include?: "missing";
          /**
           * @default [
           *       "dead"
           *     ]
           */
          states?: ("delivered" | "dead" | "cancelled")[];
          /** @description And before; Unix seconds */
          to: number;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Of a dry run: there are more than counted */
            capped?: boolean;
            /** @description Of a dry run */
            count?: number;
            /** @description Repeat with it until it is null */
            cursor?: string | null;
            /** @description Of a dry run with `include`: how many would come after a later event about the same buyer. Without `confirm` they are left out and not counted */
            outOfOrder?: number;
            /** @description Of a dry run of `send-waiting`: how many are due now, or being sent */
            sending?: number;
            /** @description Made in this step */
            sent?: number;
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `cursor_invalid`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["webhook_not_active_or_dry_run"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  resumeWebhook: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description What to do with the deliveries held so far
           * @enum {string}
           */
          held: "send" | "drop";
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["webhook_not_active"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  sendSample: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Answers what would be sent, and sends nothing
           * @default false
           */
          dryRun?: boolean;
          /** @enum {string} */
          event:
            | "product.update"
            | "product.user.purchase"
            | "product.user.purchaseRemoved"
            | "product.user.firstDownload";
          /**
           * @description The buyer of a user event. Take your own id: the receiver may act on it
           * @default 1
           */
          userId?: number;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PingResult"];
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["dry_run_or_webhook_not_active_or_webhook_is_chat"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_shutting_down_or_store_unavailable"];
    };
  };
  revealSecret: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            current: string;
            /** @description While a rotation is open */
            next: string | null;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["webhook_is_chat"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  rotateSecret: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description `switch_now` when the old secret has leaked
           * @default overlap
           * @enum {string}
           */
          mode?: "overlap" | "switch_now";
          /**
           * @description Both secrets sign for this long; null: until switched
           * @default 86400
           */
          overlapSeconds?: number | null;
          /** @description An imported secret; leave it out to have one made */
          secret?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            secret: string;
            webhook: components["schemas"]["Webhook"];
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["webhook_is_chat_or_rotation_open"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `secret_invalid` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  cancelRotation: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["rotation_not_open"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  switchSecret: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["rotation_not_open"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  sendWaiting: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          cursor?: string;
          /**
           * @description Count only
           * @default false
           */
          dryRun?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Of a dry run: there are more than counted */
            capped?: boolean;
            /** @description Of a dry run */
            count?: number;
            /** @description Repeat with it until it is null */
            cursor?: string | null;
            /** @description Of a dry run with `include`: how many would come after a later event about the same buyer. Without `confirm` they are left out and not counted */
            outOfOrder?: number;
            /** @description Of a dry run of `send-waiting`: how many are due now, or being sent */
            sending?: number;
            /** @description Made in this step */
            sent?: number;
          };
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `cursor_invalid`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      409: components["responses"]["webhook_not_active_or_dry_run"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      422: components["responses"]["field_invalid_or_field_unknown_or_text_invalid"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  stopWaiting: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Repeat it until this is false */
            more: boolean;
            /** @description They wait for their next attempt again */
            stopped: number;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  revealUrl: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            url: string;
          };
        };
      };
      400: components["responses"]["credential_in_url_or_parameter_invalid"];
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["not_found"];
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["store_unavailable"];
    };
  };
  checkUrl: {
    parameters: {
      query?: {
        /** @description Act for this owner: see and touch only what is theirs. */
        ownerId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          resourceId?: string;
          url: string;
          /** @description The webhook that gets the URL: its own address is not remarked on */
          webhookId?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UrlCheck"];
        };
      };
      /** @description `credential_in_url`, `json_invalid`, `json_too_complex`, `json_duplicate_key`, `json_forbidden_key`, `body_missing`, `parameter_invalid` */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["unauthenticated"];
      403: components["responses"]["scope_missing_or_address_not_allowed"];
      404: components["responses"]["resource_unknown"];
      413: components["responses"]["body_too_large"];
      415: components["responses"]["content_type_unsupported_or_encoding_unsupported"];
      /** @description `field_invalid`, `field_unknown`, `text_invalid`, `resource_id_invalid` */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      429: components["responses"]["key_rate_exceeded_or_owner_limit_reached"];
      500: components["responses"]["internal"];
      503: components["responses"]["overloaded_or_store_unavailable"];
    };
  };
  receivePing: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Bytes of the body
         * @example 228
         */
        "Content-Length": string;
        /**
         * @description The same in every request about the event: deduplicate on it
         * @example evt_2s0m9k3x7q1z5v8
         */
        "webhook-id": string;
        /**
         * @description Standard Webhooks: `v1,` and the base64 of the SHA-256 HMAC of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with what the secret decodes to as base64. While a secret is rotated there are two, separated by a space. Left out only where an imported secret is no base64
         * @example v1,q+IxUa2w/re0IFtVczuacqiKyNhrWKJYbfD2u5vPngo=
         */
        "webhook-signature"?: string;
        /**
         * @description When this request was sent, Unix seconds
         * @example 1767312005
         */
        "webhook-timestamp": string;
        /**
         * @description Counted from 1
         * @example 1
         */
        "X-Service-Attempt": string;
        /**
         * @description The delivery, to find the request in the log
         * @example dlv_7f0m9k3x7q1z5v8
         */
        "X-Service-Delivery-Id": string;
        /**
         * @description The webhook
         * @example wh_8fllc17r7788lpbmi0v7
         */
        "X-Service-Hook-Id": string;
        /**
         * @description The resource
         * @example castle
         */
        "X-Service-Resource-Id": string;
        /**
         * @description SHA-256 HMAC of the exact body bytes, keyed with the webhook's secret as text, in lower-case hexadecimal digits
         * @example e06ab8be225be1b401c375f74e92801d30e41c2ac07e8b3eab35797f1c5b8ef1
         */
        "X-Service-Signature": string;
        /** @description While a secret is rotated: the first signature, keyed with the new one */
        "X-Service-Signature-Next"?: string;
        /**
         * @description Version of this contract
         * @example 1
         */
        "X-Service-Webhook-Version": "1";
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReceivedPing"];
      };
    };
    responses: {
      /** @description Delivered. The body is not used */
      "2XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later */
      "4XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later; `Retry-After` is respected */
      "5XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The webhook is disabled at once */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveUpdate: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Bytes of the body
         * @example 486
         */
        "Content-Length": string;
        /**
         * @description The same in every request about the event: deduplicate on it
         * @example evt_2s0m9k3x7q1z5v8
         */
        "webhook-id": string;
        /**
         * @description Standard Webhooks: `v1,` and the base64 of the SHA-256 HMAC of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with what the secret decodes to as base64. While a secret is rotated there are two, separated by a space. Left out only where an imported secret is no base64
         * @example v1,Zda7JIyYdkVTkzp2Ds8//GQwBEUtZl9O+9WKT/r/coE=
         */
        "webhook-signature"?: string;
        /**
         * @description When this request was sent, Unix seconds
         * @example 1767312005
         */
        "webhook-timestamp": string;
        /**
         * @description Counted from 1
         * @example 1
         */
        "X-Service-Attempt": string;
        /**
         * @description The delivery, to find the request in the log
         * @example dlv_7f0m9k3x7q1z5v8
         */
        "X-Service-Delivery-Id": string;
        /**
         * @description The webhook
         * @example wh_8fllc17r7788lpbmi0v7
         */
        "X-Service-Hook-Id": string;
        /**
         * @description The resource
         * @example castle
         */
        "X-Service-Resource-Id": string;
        /**
         * @description SHA-256 HMAC of the exact body bytes, keyed with the webhook's secret as text, in lower-case hexadecimal digits
         * @example 394b46fce8375efcb1064f2ec3eec1f2b2ffa1e7065fa7c10b9225d341c3bfab
         */
        "X-Service-Signature": string;
        /** @description While a secret is rotated: the first signature, keyed with the new one */
        "X-Service-Signature-Next"?: string;
        /**
         * @description Version of this contract
         * @example 1
         */
        "X-Service-Webhook-Version": "1";
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReceivedUpdate"];
      };
    };
    responses: {
      /** @description Delivered. The body is not used */
      "2XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later */
      "4XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later; `Retry-After` is respected */
      "5XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The webhook is disabled at once */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveFirstDownload: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Bytes of the body
         * @example 223
         */
        "Content-Length": string;
        /**
         * @description The same in every request about the event: deduplicate on it
         * @example evt_2s0m9k3x7q1z5v8
         */
        "webhook-id": string;
        /**
         * @description Standard Webhooks: `v1,` and the base64 of the SHA-256 HMAC of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with what the secret decodes to as base64. While a secret is rotated there are two, separated by a space. Left out only where an imported secret is no base64
         * @example v1,ZtUaauGMU9+0bIhIJb1NiQKEcWHyVK9SwP8lOyPPYeU=
         */
        "webhook-signature"?: string;
        /**
         * @description When this request was sent, Unix seconds
         * @example 1767312005
         */
        "webhook-timestamp": string;
        /**
         * @description Counted from 1
         * @example 1
         */
        "X-Service-Attempt": string;
        /**
         * @description The delivery, to find the request in the log
         * @example dlv_7f0m9k3x7q1z5v8
         */
        "X-Service-Delivery-Id": string;
        /**
         * @description The webhook
         * @example wh_8fllc17r7788lpbmi0v7
         */
        "X-Service-Hook-Id": string;
        /**
         * @description The resource
         * @example castle
         */
        "X-Service-Resource-Id": string;
        /**
         * @description SHA-256 HMAC of the exact body bytes, keyed with the webhook's secret as text, in lower-case hexadecimal digits
         * @example 3dad629f998c0f2d2bf84e06edd342b2aa91db62c0cd55923509b3e796e32485
         */
        "X-Service-Signature": string;
        /** @description While a secret is rotated: the first signature, keyed with the new one */
        "X-Service-Signature-Next"?: string;
        /**
         * @description Version of this contract
         * @example 1
         */
        "X-Service-Webhook-Version": "1";
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReceivedFirstDownload"];
      };
    };
    responses: {
      /** @description Delivered. The body is not used */
      "2XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later */
      "4XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later; `Retry-After` is respected */
      "5XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The webhook is disabled at once */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receivePurchase: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Bytes of the body
         * @example 218
         */
        "Content-Length": string;
        /**
         * @description The same in every request about the event: deduplicate on it
         * @example evt_2s0m9k3x7q1z5v8
         */
        "webhook-id": string;
        /**
         * @description Standard Webhooks: `v1,` and the base64 of the SHA-256 HMAC of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with what the secret decodes to as base64. While a secret is rotated there are two, separated by a space. Left out only where an imported secret is no base64
         * @example v1,5cNl02Y5OH9I3KAC0ldgbYG7JxRpErBksYM1e/7ATqc=
         */
        "webhook-signature"?: string;
        /**
         * @description When this request was sent, Unix seconds
         * @example 1767312005
         */
        "webhook-timestamp": string;
        /**
         * @description Counted from 1
         * @example 1
         */
        "X-Service-Attempt": string;
        /**
         * @description The delivery, to find the request in the log
         * @example dlv_7f0m9k3x7q1z5v8
         */
        "X-Service-Delivery-Id": string;
        /**
         * @description The webhook
         * @example wh_8fllc17r7788lpbmi0v7
         */
        "X-Service-Hook-Id": string;
        /**
         * @description The resource
         * @example castle
         */
        "X-Service-Resource-Id": string;
        /**
         * @description SHA-256 HMAC of the exact body bytes, keyed with the webhook's secret as text, in lower-case hexadecimal digits
         * @example b8a75ad64a920622266e70598b9d0504cb576bc4783fc1c4dbca49ece2116efb
         */
        "X-Service-Signature": string;
        /** @description While a secret is rotated: the first signature, keyed with the new one */
        "X-Service-Signature-Next"?: string;
        /**
         * @description Version of this contract
         * @example 1
         */
        "X-Service-Webhook-Version": "1";
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReceivedPurchase"];
      };
    };
    responses: {
      /** @description Delivered. The body is not used */
      "2XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later */
      "4XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later; `Retry-After` is respected */
      "5XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The webhook is disabled at once */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receivePurchaseRemoval: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Bytes of the body
         * @example 225
         */
        "Content-Length": string;
        /**
         * @description The same in every request about the event: deduplicate on it
         * @example evt_2s0m9k3x7q1z5v8
         */
        "webhook-id": string;
        /**
         * @description Standard Webhooks: `v1,` and the base64 of the SHA-256 HMAC of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with what the secret decodes to as base64. While a secret is rotated there are two, separated by a space. Left out only where an imported secret is no base64
         * @example v1,TQB3F+rYfte+ouxK0B2T4XRyShz/mbkUyQ7W4VSl1IE=
         */
        "webhook-signature"?: string;
        /**
         * @description When this request was sent, Unix seconds
         * @example 1767312005
         */
        "webhook-timestamp": string;
        /**
         * @description Counted from 1
         * @example 1
         */
        "X-Service-Attempt": string;
        /**
         * @description The delivery, to find the request in the log
         * @example dlv_7f0m9k3x7q1z5v8
         */
        "X-Service-Delivery-Id": string;
        /**
         * @description The webhook
         * @example wh_8fllc17r7788lpbmi0v7
         */
        "X-Service-Hook-Id": string;
        /**
         * @description The resource
         * @example castle
         */
        "X-Service-Resource-Id": string;
        /**
         * @description SHA-256 HMAC of the exact body bytes, keyed with the webhook's secret as text, in lower-case hexadecimal digits
         * @example 0283ea629361fa5189b4fb23174eeb9bfd7797906420a442ab9d56a88de32f55
         */
        "X-Service-Signature": string;
        /** @description While a secret is rotated: the first signature, keyed with the new one */
        "X-Service-Signature-Next"?: string;
        /**
         * @description Version of this contract
         * @example 1
         */
        "X-Service-Webhook-Version": "1";
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReceivedPurchaseRemoval"];
      };
    };
    responses: {
      /** @description Delivered. The body is not used */
      "2XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later */
      "4XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failed, and tried again later; `Retry-After` is respected */
      "5XX": {
        headers: {
          /** @description `abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook */
          "webhook-delivery"?: "abort-message" | "disable";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The webhook is disabled at once */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}

import type { ReactNode } from "react";
import { plural, whole } from "../numbers.ts";
import { code, rich } from "../rich.ts";

const NO_CONNECTION = "Check the address, and firewalls in front of your server.";
const GOES_AGAIN = {
  next: "Nothing to do: it is sent again later by itself.",
  over: "Wait until the chat replies again.",
};
const UNREACHED = { title: "The chat could not be reached", ...GOES_AGAIN };
const CRASHED = "Your server or a proxy in front of it may have crashed; look at its log.";
const BAD_SIGNATURE =
  "Most likely the signature did not fit: compare your server's secret with the one under Secret, or paste the request under Verify requests. If the reply speaks of the time, set your server's clock.";

export const deliveries = {
  about: "Every event to every webhook, newest first.",
  states: {
    pending: "Pending",
    waiting: "Waiting",
    leased: "Sending",
    held: "Held",
    delivered: "Delivered",
    dead: "Failed",
    cancelled: "Cancelled",
  },

  // The log
  filter: "Filter deliveries",
  event: "Event",
  state: "State",
  time: "Time",
  allStates: "All states",
  search: "Search deliveries",
  searchHint: "Order, buyer, reply or id",
  statusForm: "Such as 404, or 5xx",
  searchTooShort: "At least two characters",
  searchFurther: "Search further",
  searchedAll: (count: number) =>
    plural(count, "Searched 1 delivery.", `Searched all ${whole(count)} deliveries.`),
  searchedNewest: (count: number, backTo: string | null) =>
    `Searched the newest ${whole(count)} deliveries${backTo === null ? "" : `, back to ${backTo}`}.`,
  allAboutBuyer: (id: number) => `All about buyer ${id}`,
  onlyBuyer: (id: number) => `Buyer ${id}`,
  allBuyers: (id: number) => `All buyers, not ${id} alone`,
  httpStatus: "HTTP status",
  status: "Status",
  place: "Resource or webhook",
  allPlaces: "All webhooks",
  allOf: (resource: string) => `All of ${resource}`,
  anyTime: "Any time",
  lastHour: "Last hour",
  lastDay: "Last day",
  lastWeek: "Last week",
  range: "From … to …",
  noMatch: "Nothing matches",
  noMatchText: "No delivery fits these filters.",
  clearFilters: "Clear filters",
  nothingSentText: "Send a ping, or wait for the first event; it appears here by itself.",
  newOnes: (count: number) => `${whole(count)} new ${plural(count, "delivery", "deliveries")}`,
  showNew: "Show new deliveries",
  showNewOnes: (count: number) =>
    `Show ${whole(count)} new ${plural(count, "delivery", "deliveries")}`,
  keys: (key: (name: string) => ReactNode) =>
    rich`${key("j")} and ${key("k")} or the arrow keys move, ${key("n")} goes to the next that failed, ${key("Enter")} opens.`,
  webhook: "Webhook",
  reply: "Reply",
  attempts: "Attempts",
  earlierAttempts: (count: number) =>
    `${whole(count)} earlier ${plural(count, "attempt is", "attempts are")} not shown.`,
  created: "Created",
  loadingMore: "Loading more…",
  allThatIsKept: "That is all that is kept.",
  next: (when: ReactNode) => rich`next ${when}`,
  due: "waits for its turn",
  user: (id: number) => `user ${id}`,
  byHand: "sent by hand",
  deletedWebhook: "deleted webhook",
  attempt: (count: number) => plural(count, "attempt", "attempts"),

  // One delivery
  delivery: "Delivery",
  back: "Back",
  wholePage: "Whole page",
  linkLabel: "link to this delivery",
  copyLink: "Copy link",
  happened: "Happened",
  recorded: "Recorded",
  ended: "Ended",
  why: "Why",
  userId: "User id",
  deliveryId: "Delivery id",
  eventId: "Event id",
  details: {
    buyerName: "Buyer",
    amount: "Amount",
    currency: "Currency",
    orderId: "Order",
    reason: "Reason",
  },
  reasons: {
    attempts_exhausted: "All attempts of the schedule have failed.",
    throttled_too_often: "Your server asked for fewer requests too many times.",
    chat_refused: "The chat refused the message.",
    chat_deleted: "The webhook was deleted in the chat.",
    chat_token: "The chat no longer knows the webhook's URL.",
    chat_forbidden: "The chat does not let the webhook post.",
    webhook_deleted: "The webhook was deleted.",
    user_erased: "The buyer was erased before this was sent.",
    resource_deleted: "The resource was deleted.",
    owner_changed: "The resource went to another owner.",
    quarantined: "The service ended each time it sent this; it is sent alone, and later.",
    dropped: "It was held while the webhook was paused, and dropped on resuming.",
  },
  waitsForTurn: "It waits for its turn",
  isDue: (since: ReactNode) => rich`It was due ${since}. Others are sent to your server first.`,
  nextAttempt: (when: ReactNode) => rich`Next attempt ${when}`,
  nextReasons: {
    quarantined:
      "Each time this was sent, the service ended without an answer. It is sent alone from now on, later each time.",
    untried: "It has not been tried yet.",
    asked_to_wait: "Your server asked for a pause of all deliveries, in its reply to another one.",
    failed: "The last attempt failed.",
    waiting: "An earlier event about the same buyer or resource has not ended yet.",
    leased: "It is being sent now.",
    held: "The webhook is paused or disabled.",
  },
  notTriedAgain: "It is not tried again by itself",
  wasSentAgain: "It has been sent again since",
  showIt: "Show it",
  thenSendAgain: "Then send it again.",
  thenPing: "Then send another ping.",
  defaultPosted: "The default message was posted instead of yours",
  sendAgain: "Send again",
  sentAgain: "Sent again, as a delivery of its own.",
  laterSent: "A later event has been sent since",
  sendAnyway: "Send it again anyway",
  laterSentText: (isChat: boolean) =>
    `A later event about the same buyer has reached this webhook already, for example the refund of this purchase.${
      isChat
        ? ""
        : " A server that does not look at the order could undo it: give access back to somebody who was refunded."
    }`,
  isPostedAlready: "The chat has this message already",
  postedAgain: "It is posted a second time, as another message.",
  isRepeat: rich`Your server can tell that it is a repeat: ${code("webhook-id")} is the same as before.`,

  // The outcome of an attempt
  /** What to do after `http_error`, where the reply's status says more. */
  ofStatus: {
    401: BAD_SIGNATURE,
    403: "Either the signature did not fit, or something before your code refused the request: CSRF protection or a firewall. Your server's log tells which.",
    404: "Your server replies, but not at this path. Compare it with the route in your code.",
    405: "Your server replies, but takes no POST at this path. Compare path and method with the route in your code.",
    419: "Your framework wants a CSRF token, which a webhook has not. Exempt this path from CSRF protection.",
  } as Readonly<Record<string, string>>,
  /**
   * The meaning of an attempt's outcome for the owner of the server, and what to do next. `over`: the same if nothing is
   * sent again by itself. `test`: the same for a ping, which disables no webhook of a server.
   */
  outcomes: {
    ok: { title: "Your server accepted the request", next: "" },
    http_error: {
      title: "Your server replied with an error",
      next: "Look at your server's own log for this request. Any status from 200 to 299 counts as accepted.",
    },
    redirect: {
      title: "Your server replied with a redirect",
      next: "Redirects are never followed. Enter the final address as the webhook's URL.",
    },
    throttled: {
      title: "Your server asked for fewer requests",
      next: "The delivery is sent again later by itself. Nothing to do unless this goes on.",
      over: "Let it take more requests, or wait until it does.",
    },
    gone: {
      title: "Your server replied 410 Gone",
      next: "That disabled the webhook. Resume it once your server is back.",
      test: "A ping disables nothing. The same reply to an event disables the webhook.",
    },
    aborted_by_receiver: {
      title: "Your server asked to stop this delivery",
      next: "It replied with the header webhook-delivery: abort-message.",
    },
    disabled_by_receiver: {
      title: "Your server asked to disable this webhook",
      next: "It replied with the header webhook-delivery: disable. Resume the webhook to go on.",
      test: "It replied with the header webhook-delivery: disable. A ping disables nothing. The same reply to an event disables the webhook.",
    },
    blocked: {
      title: "This address is not allowed",
      next: "Use a host with a public address, and a port that is not reserved for something else.",
    },
    dns_failure: {
      title: "The host name could not be found",
      next: "Check its spelling and its DNS records. New records can take an hour to be seen.",
    },
    connection_refused: {
      title: "Nothing accepts connections at this host and port",
      next: "Start your server, and check the port in the URL.",
    },
    connection_failed: { title: "No connection could be made", next: NO_CONNECTION },
    connection_closed: { title: "The connection was closed before a reply came", next: CRASHED },
    connection_reset: { title: "Your server reset the connection", next: CRASHED },
    timeout: {
      title: "Your server took too long",
      next: "Reply first and do the work afterwards: the time of an attempt is limited.",
    },
    tls_certificate_expired: {
      title: "Your server's certificate has expired",
      next: "Renew it; automatic renewal may have stopped.",
    },
    tls_certificate_untrusted: {
      title: "Your server's certificate is not trusted",
      next: "It is self-signed, or your server does not send its intermediate certificates.",
    },
    tls_name_mismatch: {
      title: "Your server's certificate is for another host name",
      next: "Use a name that the certificate covers, or get one for this name.",
    },
    tls_failure: {
      title: "No encrypted connection could be made",
      next: "Your server needs TLS 1.2 or later, and must not demand a client certificate. Is this an https port at all?",
    },
    invalid_response: {
      title: "The reply is not valid HTTP",
      next: "Is there a web server at this port?",
    },
    response_headers_too_large: {
      title: "The reply's headers are too large",
      next: "At most 16 KiB are read.",
    },
    too_many_interim_responses: {
      title: "Your server sent interim responses without end",
      next: "At most eight are read before the reply.",
    },
    chat_refused: {
      title: "The chat refused the message",
      next: "Its reply says why. Under Messages, check your changes to the message; it is not sent again by itself.",
    },
    chat_deleted: {
      title: "The webhook was deleted in the chat",
      next: "That disabled this webhook. Make a new one in the chat, enter its URL under Settings, and resume.",
    },
    chat_token: {
      title: "The chat no longer knows this webhook's URL",
      next: "That disabled this webhook. Copy the URL in the chat again, enter it under Settings, and resume.",
    },
    chat_forbidden: {
      title: "The chat does not let this webhook post",
      next: "That disabled this webhook. Make a webhook for another chat, enter its URL under Settings, and resume.",
    },
    chat_message_gone: {
      title: "The sale's message is not there any more",
      next: "So the refund gets a message of its own.",
    },
    outcome_unknown: {
      title: "The request was started, and its outcome is not known",
      next: "Our side was interrupted. The delivery is sent again by itself, with the same webhook-id.",
      over: "Our side was interrupted. See in your server's log whether it had the request.",
    },
  },
  /** Of a chat, where nobody has a server to look after. */
  ofChat: {
    ok: { title: "The chat accepted the message", next: "" },
    throttled: { title: "The chat asked for fewer messages", ...GOES_AGAIN },
    http_error: { title: "The chat replied with an error", ...GOES_AGAIN },
    dns_failure: UNREACHED,
    connection_refused: UNREACHED,
    connection_failed: UNREACHED,
    connection_closed: UNREACHED,
    connection_reset: UNREACHED,
    timeout: { title: "The chat did not reply in time", ...GOES_AGAIN },
    tls_certificate_expired: UNREACHED,
    tls_certificate_untrusted: UNREACHED,
    tls_name_mismatch: UNREACHED,
    tls_failure: UNREACHED,
    invalid_response: { title: "The reply is not the chat's", ...GOES_AGAIN },
  },
  ours: {
    title: "Something on our side kept it from being sent",
    next: "This was on our side; the delivery is sent again by itself.",
    over: "This was on our side. Wait a moment.",
  },
  /** Where the request never left, and the texts above would say that the server had it. */
  unsent: {
    throttled: {
      title: "Too many requests go to this host now",
      next: "Try again in a moment.",
    },
    timeout: { title: "No connection was made in time", next: NO_CONNECTION },
    connection_closed: { title: "Your server closed the connection at once", next: NO_CONNECTION },
    connection_reset: {
      title: "Your server reset the connection at once",
      next: NO_CONNECTION,
    },
  },
  /** The same where there was a connection, and its encryption was being made. */
  unencrypted: {
    timeout: {
      title: "No encrypted connection was made in time",
      next: "Something at this port accepts connections, but does not finish the TLS handshake. Is this an https port, and does your server have free processes?",
    },
  },
  /** In a row of the log, and for a cause of failures, where there is no status. */
  short: {
    ok: "Accepted",
    blocked: "Address not allowed",
    dns_failure: "Host name not found",
    connection_refused: "Connection refused",
    connection_failed: "No connection",
    connection_closed: "Connection closed",
    connection_reset: "Connection reset",
    timeout: "Took too long",
    throttled: "Asked to wait",
    tls_certificate_expired: "Certificate expired",
    tls_certificate_untrusted: "Certificate not trusted",
    tls_name_mismatch: "Certificate for another name",
    tls_failure: "No encrypted connection",
    invalid_response: "No valid HTTP reply",
    response_headers_too_large: "Headers too large",
    too_many_interim_responses: "Endless interim replies",
    outcome_unknown: "Outcome not known",
  },
  shortOurs: "Not sent, on our side",
  redirect: "Redirect",
  /** After the status; of the statuses that servers really give. */
  statuses: {
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    408: "Request timeout",
    409: "Conflict",
    410: "Gone",
    413: "Too large",
    415: "Unsupported type",
    422: "Unprocessable",
    429: "Too many requests",
    500: "Server error",
    501: "Not implemented",
    502: "Bad gateway",
    503: "Unavailable",
    504: "Gateway timeout",
  },
};

export const live = {
  connecting: "Connecting",
  live: "Live",
  offline: "Offline",
  away: "Reconnecting",
};

/** What an attempt's outcome means for the owner of the receiver, and what to do next. */
interface Words {
  title: string;
  next: string;
}

const WORDS: Readonly<Record<string, Words>> = {
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
    title: "Your server asked to be sent less",
    next: "The delivery goes again later by itself. Nothing to do unless it stays so.",
  },
  gone: {
    title: "Your server replied 410 Gone",
    next: "That disabled the webhook. Resume it once your server is back.",
  },
  aborted_by_receiver: {
    title: "Your server asked to stop this delivery",
    next: "It replied with the header webhook-delivery: abort-message.",
  },
  disabled_by_receiver: {
    title: "Your server asked to disable this webhook",
    next: "It replied with the header webhook-delivery: disable. Resume the webhook to go on.",
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
  connection_failed: {
    title: "No connection could be made",
    next: "Check the address, and firewalls in front of your server.",
  },
  connection_closed: {
    title: "The connection was closed before a reply came",
    next: "Your server or a proxy in front of it may have crashed; look at its log.",
  },
  connection_reset: {
    title: "Your server broke the connection off",
    next: "Your server or a proxy in front of it may have crashed; look at its log.",
  },
  timeout: {
    title: "Your server took too long",
    next: "Reply first and do the work afterwards: an attempt has 15 seconds in all.",
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
    next: "Your server needs TLS 1.2 or later. Is this an https port at all?",
  },
  invalid_response: {
    title: "What came back is not a valid HTTP reply",
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
    next: "Its reply says why. Look at the message's own texts, role and thread under Messages; it is not sent again by itself.",
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
    next: "That disabled this webhook. Make a webhook in another channel, enter its URL under Settings, and resume.",
  },
  chat_message_gone: {
    title: "The sale's message is not there any more",
    next: "So the refund gets a message of its own.",
  },
  outcome_unknown: {
    title: "The request was started and its end is not known",
    next: "Our side was interrupted. The delivery goes again by itself, with the same webhook-id.",
  },
};

const OURS: Words = {
  title: "Something on our side kept it from being sent",
  next: "This was on our side; the delivery goes again by itself.",
};

const NO_CONNECTION = "Check the address, and firewalls in front of your server.";

/** Where the request never left, and the words above would say that the receiver had it. */
const NOT_SENT: Readonly<Record<string, Words>> = {
  throttled: {
    title: "There is no free turn for this host now",
    next: "Try again in a moment.",
  },
  timeout: { title: "No connection was made in time", next: NO_CONNECTION },
  connection_closed: { title: "Your server closed the connection at once", next: NO_CONNECTION },
  connection_reset: { title: "Your server broke the connection off at once", next: NO_CONNECTION },
};

/** `sent`: whether any of the request left. */
export function outcomeWords(outcome: string, sent = true): Words {
  return (sent ? undefined : NOT_SENT[outcome]) ?? WORDS[outcome] ?? OURS;
}

const WITHOUT_CONNECTION: ReadonlySet<string> = new Set([
  "blocked",
  "dns_failure",
  "connection_refused",
  "connection_failed",
  "tls_certificate_expired",
  "tls_certificate_untrusted",
  "tls_name_mismatch",
]);

/** In place of a status, where nothing more than the outcome is known. */
export function missingStatus(outcome: string): string {
  return WITHOUT_CONNECTION.has(outcome) ? "Not sent" : "No reply";
}

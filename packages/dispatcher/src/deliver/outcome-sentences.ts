import type { AttemptOutcome } from "./judge-answer.ts";

/**
 * Sentences for an owner: what happened and what to do next. They never contain an address, an errno or a receiver's
 * text.
 */
const SENTENCES: Readonly<Record<AttemptOutcome, string>> = {
  ok: "The receiver accepted the request.",
  http_error: "The receiver answered with an error. Look at its own log for this request.",
  redirect:
    "The receiver answered with a redirect, which is never followed. Enter the final address as the webhook's URL.",
  throttled: "The receiver asked for fewer requests. The delivery is sent again later.",
  gone: "The receiver answered 410 Gone, so the webhook was disabled.",
  aborted_by_receiver: "The receiver asked to stop this delivery.",
  disabled_by_receiver: "The receiver asked to disable this webhook.",
  blocked: "This address is not allowed as a receiver. Use a host with a public address.",
  dns_failure: "The host name could not be found. Check its spelling and its DNS records.",
  connection_refused: "Nothing accepts connections at this host and port. Is the receiver running?",
  connection_failed:
    "No connection could be made. Check the address, and firewalls in front of the receiver.",
  connection_closed: "The receiver closed the connection before its answer was complete.",
  connection_reset: "The receiver reset the connection.",
  timeout: "The receiver took too long. Answer first, and do the work afterwards.",
  tls_certificate_expired: "The receiver's certificate has expired. Renew it.",
  tls_certificate_untrusted:
    "The receiver's certificate is not signed by a known authority, or its chain is incomplete.",
  tls_name_mismatch: "The receiver's certificate is for another host name.",
  tls_failure:
    "No encrypted connection could be made. The receiver needs TLS 1.2 or later, and must not demand a client certificate. Is this an https port at all?",
  invalid_response: "The answer is not valid HTTP. Is there a web server at this port?",
  response_headers_too_large: "The answer's headers are larger than 16 KiB.",
  too_many_interim_responses: "The receiver sent interim responses without end.",
  socket_limit: "All connections were in use. The delivery is sent again by itself.",
  address_unconfirmed:
    "The name leads to another address than before. Requests go there slowly until it has answered well.",
  lease_lost: "The request was not sent: this instance had lost its lease. Another one sends it.",
  stopped: "The request was not sent: this instance's sender has stopped. It is sent again.",
  chat_deleted:
    "There is no such webhook in the chat any more, and nothing more is sent there. Make a new one in the chat and enter its URL.",
  chat_token:
    "The chat says that the webhook's URL is not valid any more, and nothing more is sent there. Copy the URL in the chat again and enter it.",
  chat_forbidden:
    "The chat does not let this webhook post any more, and nothing more is sent there. Look at its permissions in the chat, or make a new one there.",
  chat_refused:
    "The chat refused the message. It is not sent again; look at the answer, and at the message's own texts and thread.",
  chat_message_gone:
    "The sale's message is not there any more, so the refund gets a message of its own.",
  outcome_unknown: "The request was started; its outcome is not known. It is sent again.",
};

/** Used if the request was never sent, because the words above would say that the receiver had it. */
const NOT_SENT: Partial<Record<AttemptOutcome, string>> = {
  throttled: "Not sent: too many requests go to this host now. Try again in a moment.",
  timeout:
    "Not sent: no connection was made in time. Check the address, and firewalls in front of your server.",
  connection_closed: "Not sent: your server closed the connection at once.",
  connection_reset: "Not sent: your server reset the connection at once.",
};

/** Of a ping, which is sent once and disables no webhook of a server. */
const OF_PING: Partial<Record<AttemptOutcome, string>> = {
  throttled: "The receiver asked for fewer requests.",
  gone: "The receiver answered 410 Gone. The same answer to an event disables the webhook.",
  disabled_by_receiver:
    "The receiver asked to disable this webhook. The same answer to an event disables it.",
  socket_limit: "All connections were in use. Try again in a moment.",
  stopped: "The request was not sent: this instance's sender has stopped. Try again in a moment.",
  outcome_unknown: "The request was started, and its outcome is not known.",
};

export function sentenceFor(outcome: AttemptOutcome, sent: boolean): string {
  return (sent ? null : NOT_SENT[outcome]) ?? SENTENCES[outcome];
}

export function pingSentenceFor(outcome: AttemptOutcome, sent: boolean): string {
  return (sent ? null : NOT_SENT[outcome]) ?? OF_PING[outcome] ?? SENTENCES[outcome];
}

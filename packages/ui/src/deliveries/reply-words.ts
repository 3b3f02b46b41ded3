import type { Delivery } from "@markethook/client";

/** What the standard calls it; of the statuses that servers really give. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [400, "Bad request"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "Not found"],
  [405, "Method not allowed"],
  [408, "Request timeout"],
  [409, "Conflict"],
  [410, "Gone"],
  [413, "Too large"],
  [415, "Unsupported type"],
  [422, "Unprocessable"],
  [429, "Too many requests"],
  [500, "Server error"],
  [501, "Not implemented"],
  [502, "Bad gateway"],
  [503, "Unavailable"],
  [504, "Gateway timeout"],
]);

const OUTCOMES: Readonly<Record<string, string>> = {
  ok: "Accepted",
  blocked: "Address not allowed",
  dns_failure: "Host name not found",
  connection_refused: "Connection refused",
  connection_failed: "No connection",
  connection_closed: "Connection closed",
  connection_reset: "Connection broken off",
  timeout: "Took too long",
  throttled: "Asked to wait",
  tls_certificate_expired: "Certificate expired",
  tls_certificate_untrusted: "Certificate not trusted",
  tls_name_mismatch: "Certificate for another name",
  tls_failure: "No encrypted connection",
  invalid_response: "No valid HTTP reply",
  response_headers_too_large: "Headers too large",
  too_many_interim_responses: "Endless interim replies",
  outcome_unknown: "End not known",
};

/** What came of a delivery's last attempt, in a few words; the status, if there was one, stands before them. */
export function replyWords({
  lastStatus,
  lastOutcome,
}: Pick<Delivery, "lastStatus" | "lastOutcome">): {
  status: number | null;
  words: string;
} {
  if (lastOutcome === null) return { status: null, words: "" };
  if (lastStatus === null) {
    return { status: null, words: OUTCOMES[lastOutcome] ?? "Not sent, on our side" };
  }
  if (lastOutcome === "ok") return { status: lastStatus, words: "" };
  if (lastStatus >= 300 && lastStatus < 400) return { status: lastStatus, words: "Redirect" };
  return { status: lastStatus, words: STATUSES.get(lastStatus) ?? "" };
}

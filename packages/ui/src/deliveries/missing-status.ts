import { words } from "../words/first-words.ts";

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
  return WITHOUT_CONNECTION.has(outcome) ? words.shared.notSent : words.shared.noReply;
}

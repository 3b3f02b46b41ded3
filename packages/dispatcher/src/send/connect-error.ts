import type { CertificateFacts } from "@markethook/store";
import type { FailureCategory } from "./send-result.ts";

/** Why no request could be written. */
export interface DialFailure {
  category: FailureCategory;
  /** For operators: may name addresses. */
  detail: string;
  certificate?: CertificateFacts;
}

const CATEGORIES: Readonly<Record<string, FailureCategory>> = {
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  ECONNABORTED: "connection_reset",
  ETIMEDOUT: "timeout",
  // A fault of ours, not the receiver's: no descriptor is left. EADDRNOTAVAIL is not among these: on a machine without
  // IPv6 it never passes.
  EMFILE: "socket_limit",
  ENFILE: "socket_limit",
  ENOBUFS: "socket_limit",
  CERT_HAS_EXPIRED: "tls_certificate_expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls_name_mismatch",
  CERT_NOT_YET_VALID: "tls_certificate_untrusted",
  CERT_CHAIN_TOO_LONG: "tls_certificate_untrusted",
  CERT_REJECTED: "tls_certificate_untrusted",
  CERT_REVOKED: "tls_certificate_untrusted",
  CERT_SIGNATURE_FAILURE: "tls_certificate_untrusted",
  CERT_UNTRUSTED: "tls_certificate_untrusted",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls_certificate_untrusted",
  INVALID_CA: "tls_certificate_untrusted",
  INVALID_PURPOSE: "tls_certificate_untrusted",
  PATH_LENGTH_EXCEEDED: "tls_certificate_untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "tls_certificate_untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "tls_certificate_untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls_certificate_untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls_certificate_untrusted",
};

/** Maps a socket's error to a category by its code. An unknown error gets the category of the phase. */
export function categoryOf(
  error: Error | null,
  phase: "connect" | "tls" | "exchange",
): FailureCategory {
  const code = error !== null && "code" in error ? String(error.code) : "";
  const category = CATEGORIES[code];
  // A broken handshake is a fault of TLS: servers reset the connection if they want another version or protocol.
  if (phase === "tls") {
    return category?.startsWith("tls_") === true || category === "timeout"
      ? category
      : "tls_failure";
  }
  if (category !== undefined) return category;
  if (phase === "connect") return "connection_failed";
  return code.startsWith("ERR_SSL") ? "tls_failure" : "connection_reset";
}

export function describe(error: Error | null): string {
  return error === null ? "closed" : error.message;
}

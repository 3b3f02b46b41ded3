import type { CertificateFacts, Timings } from "@markethook/store";

/** The reason why a request got no usable answer. */
export type FailureCategory =
  | "blocked"
  | "dns_failure"
  | "connection_refused"
  | "connection_failed"
  | "connection_closed"
  | "connection_reset"
  | "timeout"
  | "tls_certificate_expired"
  | "tls_certificate_untrusted"
  | "tls_name_mismatch"
  | "tls_failure"
  | "invalid_response"
  | "response_headers_too_large"
  | "too_many_interim_responses"
  | "socket_limit"
  /** The name leads to no address to which this request may go. */
  | "address_unconfirmed"
  | "lease_lost"
  | "stopped"
  /** The thread that had begun with this request ended: the request may be the cause. */
  | "sender_lost";

export interface SendResult {
  /** Status of the final response, once its head was read completely. There may be a category as well. */
  status: number | null;
  /** Null exactly when the exchange is a usable answer. */
  category: FailureCategory | null;
  /** For operators: may name addresses, never shown to owners. */
  detail: string | null;
  /** The server's certificate, if it was refused. */
  certificate?: CertificateFacts;
  /** False: no byte of the request was written. */
  sent: boolean;
  /** Of the final response, at most 16 KiB. */
  headers: [string, string][];
  /** As it came, never decompressed; at most 16 KiB kept. */
  body: Buffer;
  bodyTruncated: boolean;
  timings: Timings;
  reusedConnection: boolean;
  /** Address of the peer, once connected; the caps use it. */
  address: string | null;
}

/** The result of a request whose turn did not come. */
export const NOT_SENT: SendResult = {
  status: null,
  category: null,
  detail: null,
  sent: false,
  headers: [],
  body: Buffer.alloc(0),
  bodyTruncated: false,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 },
  reusedConnection: false,
  address: null,
};

/** Limits of one exchange, for anything that the receiver sends. */
export const RESPONSE_LIMITS = {
  /** Bytes read from the socket for one exchange. */
  wireBytes: 64 * 1024,
  /** Bytes of one response's status line and headers. */
  headBytes: 16 * 1024,
  headerLines: 100,
  interimResponses: 8,
} as const;

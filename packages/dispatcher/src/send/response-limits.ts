/** What one exchange may cost us, whatever the receiver sends. */
export const RESPONSE_LIMITS = {
  /** Read from the socket for one exchange. */
  wireBytes: 64 * 1024,
  /** Of one response's status line and headers. */
  headBytes: 16 * 1024,
  headerLines: 100,
  interimResponses: 8,
} as const;

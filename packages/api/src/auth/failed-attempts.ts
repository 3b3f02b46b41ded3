import { type ErrorCode, MarkethookError } from "@markethook/protocol";

const WINDOW_MS = 60_000;
/** Failures per address and window. */
const MOST = 30;
/** Number of stored addresses; a flood from many must not fill the memory. */
const ADDRESSES = 10_000;

/**
 * Counts failures by address. After a number of them, it answers for the rest of the minute that there were too many. A
 * correct attempt is never refused: many people can share an address, and an attacker must not lock the others out.
 */
export function createFailedAttempts(nowMs: () => number) {
  const counts = new Map<string, number>();
  let window = 0;

  return {
    /** Returns the error for this failure. */
    refusal(address: string, code: ErrorCode): MarkethookError {
      const now = Math.floor(nowMs() / WINDOW_MS);
      if (now !== window || counts.size >= ADDRESSES) counts.clear();
      window = now;
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      if (count <= MOST) return new MarkethookError(code);
      const retryAfterSeconds = Math.ceil((WINDOW_MS - (nowMs() % WINDOW_MS)) / 1000);
      return new MarkethookError("too_many_attempts", { retryAfterSeconds });
    },
  };
}

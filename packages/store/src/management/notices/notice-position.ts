import { jsonObject } from "@markethook/protocol";

/** Which notices are posted, and which instance has the right to post: a row of `meta`, as JSON. */
export interface NoticePosition {
  /** Number of the last notice that was posted. */
  after: number;
  holder: string;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * A damaged one counts as nobody's. If it does not say which notices are posted, none is: each is posted at least once.
 */
export function readPosition(stored: string): { position: NoticePosition; damaged: boolean } {
  const { after, holder, until }: Record<string, unknown> = jsonObject(stored) ?? {};
  const known = typeof after === "number" && Number.isSafeInteger(after) && after >= 0 ? after : 0;
  return known === after && typeof holder === "string" && typeof until === "number"
    ? { position: { after, holder, until }, damaged: false }
    : { position: { after: known, holder: "", until: 0 }, damaged: true };
}

/** Up to this notice all are posted; undefined: none has to be. */
export function postedUpTo(stored: unknown): number {
  if (stored === undefined) return Number.MAX_SAFE_INTEGER;
  return readPosition(typeof stored === "string" ? stored : "").position.after;
}

/**
 * Position of posting notices to the marketplace. One instance at a time has the right to post, for some time. The
 * number moves on only after its notice was accepted, so each is posted at least once, and in order.
 */
export interface NoticePostStore {
  /**
   * Takes or keeps the right. Returns the number of the last posted notice; null: another instance has the right. The
   * very first call begins after the notices that exist by then.
   */
  take(holder: string, forMs: number): Promise<number | null>;
  /** False: another instance has the right by now. */
  advance(holder: string, no: number, forMs: number): Promise<boolean>;
  /** Gives the right up before a stop, so that another instance need not wait. */
  release(holder: string): Promise<void>;
  /** Null before the very first `take`. `oldestAt`: milliseconds since the epoch. */
  lag(): Promise<{ unposted: number; oldestAt: number | null } | null>;
}

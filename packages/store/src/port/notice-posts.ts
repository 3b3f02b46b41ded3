/**
 * How far notices were posted to the marketplace. One instance at a time has the right to post, for a while; a
 * number only moves on after its notice was taken, so that each is posted at least once, and in order.
 */
export interface NoticePostStore {
  /**
   * Takes the right, or keeps it: the number of the last notice that was posted. Null: another instance has it. Who
   * asks for the very first time begins with what comes after that.
   */
  take(holder: string, forMs: number): Promise<number | null>;
  /** False: the right is another instance's by now. */
  advance(holder: string, no: number, forMs: number): Promise<boolean>;
  /** Before a stop, so that another instance need not wait. */
  release(holder: string): Promise<void>;
  /** Null before the first `take` of all. `oldestAt`: milliseconds since the epoch. */
  lag(): Promise<{ unposted: number; oldestAt: number | null } | null>;
}

import type { WaitReason } from "../queue/place.ts";

/** A moment of the sending side, for metrics. */
export interface DispatcherStatistics {
  instanceNo: number | null;
  /** Requests being made. */
  open: number;
  slowOpen: number;
  /** Deliveries waiting in memory. */
  queued: number;
  /** Webhooks by what they wait for; with suspects, one may be counted for each level. */
  waiting: Readonly<Record<WaitReason, number>>;
  roomBytes: number;
  /** Outcomes not stored yet. */
  unsettled: number;
  sockets: number;
  /** Threads that send now; 0: the main thread does. */
  senderThreads: number;
}

import type { WaitReason } from "../queue/place.ts";

/** The state of the sending side at one moment, for metrics. */
export interface DispatcherStatistics {
  instanceNo: number | null;
  /** Number of open requests. */
  open: number;
  slowOpen: number;
  /** Deliveries waiting in memory. */
  queued: number;
  /** Number of waiting webhooks by reason. A webhook with suspects may be counted once for each level. */
  waiting: Readonly<Record<WaitReason, number>>;
  roomBytes: number;
  /** Number of outcomes that are not stored yet. */
  unsettled: number;
  sockets: number;
  /** Number of threads that send now; 0: the main thread does. */
  senderThreads: number;
}

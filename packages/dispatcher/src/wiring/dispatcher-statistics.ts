/** A moment of the sending side, for metrics. */
export interface DispatcherStatistics {
  instanceNo: number | null;
  /** Requests being made. */
  open: number;
  slowOpen: number;
  /** Deliveries waiting in memory. */
  queued: number;
  roomBytes: number;
  /** Outcomes not stored yet. */
  unsettled: number;
  sockets: number;
}

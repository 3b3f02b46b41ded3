/** State of a delivery in the database. `leased` is the table `leased`; the ended states share the table `ended`. */
export type DeliveryState = "waiting" | "leased" | "delivered" | "dead" | "cancelled";

export interface DeliveryTransition {
  /** Null: it is new. */
  from: DeliveryState | null;
  /** Null: it is deleted. */
  to: DeliveryState | null;
  /** The method of the store that causes it. */
  by: string;
  when: string;
}

export const DELIVERY_STATES: Readonly<Record<DeliveryState, string>> = {
  waiting:
    "No instance has it. It is due now or later, stands behind an earlier event about the same buyer, or is held because its webhook is paused or disabled; these are derived, not stored.",
  leased: "An instance has it, in memory or as an open request. Its row names the instance.",
  delivered: "Ended: the receiver answered 2xx.",
  dead: "Ended: the last attempt failed.",
  cancelled:
    "Ended undelivered: its webhook, resource or buyer is gone, the resource has another owner, or it was dropped.",
};

/** The whole state machine. The conformance suite checks that nothing else ever happens, on either database. */
export const DELIVERY_TRANSITIONS: readonly DeliveryTransition[] = [
  {
    from: null,
    to: "leased",
    by: "events.accept",
    when: "the accepting instance has room, the webhook is active and nothing earlier about the buyer is open",
  },
  { from: null, to: "waiting", by: "events.accept", when: "otherwise" },
  { from: null, to: "waiting", by: "log.redeliver", when: "a person sends an ended one again" },
  { from: null, to: "waiting", by: "log.replayStep", when: "a person sends a range again" },
  { from: null, to: "delivered", by: "log.recordPing", when: "a ping was answered 2xx" },
  { from: null, to: "dead", by: "log.recordPing", when: "a ping failed" },
  {
    from: "waiting",
    to: "leased",
    by: "deliveries.claim",
    when: "due or hinted at, its webhook active, nothing earlier about the buyer open",
  },
  {
    from: "waiting",
    to: "leased",
    by: "deliveries.claimProbes",
    when: "a webhook disabled for failing is tried again",
  },
  {
    from: "waiting",
    to: "cancelled",
    by: "deliveries.cancelMarked",
    when: "webhook or resource deleted, owner changed, or backlog dropped",
  },
  {
    from: "waiting",
    to: "cancelled",
    by: "erasure.step",
    when: "its buyer was erased",
  },
  { from: "leased", to: "delivered", by: "deliveries.settle", when: "the receiver answered 2xx" },
  {
    from: "leased",
    to: "dead",
    by: "deliveries.settle",
    when: "attempts used up, or a final answer",
  },
  {
    from: "leased",
    to: "cancelled",
    by: "deliveries.settle",
    when: "its webhook does not exist any more when its turn comes, or its buyer is being erased",
  },
  {
    from: "leased",
    to: "waiting",
    by: "deliveries.settle",
    when: "a retry, or a release without an attempt",
  },
  { from: "leased", to: "waiting", by: "deliveries.rescue", when: "its instance is dead" },
  {
    from: "leased",
    to: "waiting",
    by: "deliveries.releaseForgotten",
    when: "its instance does not know of this lease",
  },
  { from: "leased", to: "waiting", by: "instances.end", when: "its instance stops" },
  {
    from: "leased",
    to: "waiting",
    by: "instances.start",
    when: "SQLite: the earlier process ended without stopping",
  },
  { from: "delivered", to: null, by: "maintenance.prune", when: "older than the retention" },
  { from: "dead", to: null, by: "maintenance.prune", when: "older than the retention" },
  { from: "cancelled", to: null, by: "maintenance.prune", when: "older than the retention" },
];

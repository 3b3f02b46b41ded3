import type { EventName, RequestVariables } from "@markethook/protocol";
import type { ChatDisabledReason } from "./webhooks.ts";

export type DeliveryOrigin = "event" | "redelivery" | "ping";

/**
 * One lease of one delivery. Every lease of a delivery has another number, even under the same instance, so the name of
 * an old one never matches a new one.
 */
export interface LeaseName {
  seq: number;
  lease: number;
}

/** A delivery that is leased to this process, with its immutable data. URL, secret and state are not among them. */
export interface QueuedDelivery extends LeaseName {
  eventSeq: number;
  tag: string;
  webhookNo: number;
  eventName: EventName;
  /** Unix seconds. */
  eventTime: number;
  /** JSON text. */
  payload: string;
  /** Buyer's user id, -1 for updates. Deliveries of one webhook with the same key are sent in order of `seq`. */
  orderKey: number | null;
  /** Number of requests so far. */
  attempts: number;
  /** Number of failures so far that count in the retry schedule. */
  step: number;
  /** Number of 429 answers so far. */
  throttled: number;
  /** Level as a poison suspect (`suspicion.ts`). Above 0: it may have ended the process that sent it. */
  suspicion: number;
  origin: DeliveryOrigin;
  /** True if it is sent before its time, by a person or after a recovery. It uses up no step of the retry schedule. */
  early: boolean;
  /** True if it is sent to test whether a disabled webhook answers again. */
  probe: boolean;
}

/** One HTTP request and its result, as stored. */
export interface AttemptRecord {
  /** Counted from 1. */
  number: number;
  outcome: string;
  status: number | null;
  /** JSON text of `AttemptDetail`. */
  detail: string;
}

/** The content of an attempt's `detail`. Together with the delivery it is enough to rebuild the exact request. */
export interface AttemptDetail extends RequestVariables {
  /** Milliseconds since the epoch. */
  at: number;
  /** Sender profile number. */
  profile: number;
  /** The part of the URL that may be shown. */
  url: string;
  /**
   * The request to a chat, which is not signed: nonce and signature are empty. It cannot be rebuilt, because its words
   * were the owner's at that moment.
   */
  chat?: ChatAttempt;
  timings?: Timings;
  /** True: no byte of the request was sent. Absent: it was sent, as far as is known. */
  sent?: false;
  headers?: [string, string][];
  /** The answer's body, at most 16 KiB, as text; `bodyBase64` when it is not UTF-8. */
  body?: string;
  bodyBase64?: string;
  bodyTruncated?: boolean;
  /** The server's certificate, if it was refused, as the server showed it. */
  certificate?: CertificateFacts;
  /** For operators only. */
  operatorDetail?: string;
  /** True if the buyer was erased: the request and the answer are not known any more. */
  erased?: true;
}

/** Milliseconds each phase took; null for a phase that was not reached, or not needed on a kept connection. */
export interface Timings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the request being written to the first byte of any answer. */
  firstByteMs: number | null;
  /** From the call to the end, over all phases. */
  totalMs: number;
}

/** Facts of a server's certificate. The texts come from a stranger and are cut. */
export interface CertificateFacts {
  /** The names and addresses for which it is valid. */
  names: string;
  issuer: string;
  /** ISO 8601. */
  validFrom: string;
  validTo: string;
}

export interface ChatAttempt {
  method: "POST" | "PATCH";
  /** Without Host and Content-Length. */
  headers: [name: string, value: string][];
  body: string;
  /** The message to be changed. */
  editOf?: string;
  /** Sentences for the owner. */
  warnings?: string[];
  /** Why the default message replaced the owner's. */
  fault?: string;
}

export type EndState = "delivered" | "dead" | "cancelled";

export type SettlementNext =
  | { kind: "end"; state: EndState; reason: string | null }
  /** Back to waiting. The database adds its current time to the delay. */
  | Retry
  /** Back to waiting, due at once, as if it had never been leased. */
  | { kind: "release" }
  /**
   * The sender ended together with its request. Back to waiting as a suspect, as if a process had ended
   * (`suspicion.ts`).
   */
  | { kind: "lost" };

export interface Retry {
  kind: "retry";
  delayMs: number;
  counts: boolean;
  throttled: boolean;
  /** An early attempt: the delivery is not due again before the time that its schedule has. */
  early?: boolean;
  /** The receiver asked to wait this long. No recovery makes the delivery due earlier. */
  askedMs?: number;
}

/** The meaning of an attempt for its webhook's health. Absent if nothing changes. */
export type HealthSignal =
  | { kind: "ok" }
  | { kind: "failed"; badRequest: boolean }
  /** For the webhook, if it still has the URL that it was sent to. */
  | { kind: "disable"; reason: "gone" | "receiver_request"; urlMark: string }
  /** For all webhooks of all owners that have this address now. */
  | { kind: "disable_chat"; reason: ChatDisabledReason; target: string };

export interface Settlement extends LeaseName {
  webhookNo: number;
  eventSeq: number;
  eventName: EventName;
  attempt: AttemptRecord | null;
  next: SettlementNext;
  health?: HealthSignal;
  /** The message of a delivered purchase, stored so that a refund can change it. */
  chatMessage?: { userId: number; messageId: string };
}

export interface SettleOutcome {
  /** Deliveries whose lease was no longer ours; they were not changed. */
  refused: number[];
  /** Webhooks whose state changed in this transaction. */
  changedWebhooks: number[];
  /** Deliveries whose settlement cannot be stored, with the database's words. All others are stored. */
  failed: { seq: number; why: string }[];
}

/** Deliveries of one webhook with the same order key are sent one after the other. */
export interface OrderPair {
  webhookNo: number;
  orderKey: number;
}

export interface ClaimRequest {
  instanceNo: number;
  /** Webhook number after which the circle continues; 0 to start. */
  cursor: number;
  /** At most this many webhooks are visited. */
  webhooks: number;
  /** At most this many rows per webhook. */
  perWebhook: number;
  /** Order keys whose earlier delivery has just ended. They are checked first, for any due time. */
  hints: readonly OrderPair[];
  /** Webhooks to skip: their share in memory is full. */
  full: readonly number[];
}

export interface ClaimOutcome {
  deliveries: QueuedDelivery[];
  /** The last visited webhook, from which to continue; 0 at the end of the circle. */
  cursor: number;
  visited: number;
  /** Order keys with a delivery behind an earlier one: wake them when that one ends. */
  blocked: OrderPair[];
}

/** An instance as one of its heartbeats left it. */
export interface InstanceBeat {
  instanceNo: number;
  /** By the database's clock. Tells one heartbeat from another. */
  renewedAt: number;
}

export interface RescueOutcome {
  /** Instances that were dead and have been ended. */
  instanceNos: number[];
  rescued: number;
  /** Number of suspects among these, by their new level; none of a process that goes on under another instance. */
  suspects: { level: number; count: number }[];
  /** Number of these that have certainly ended their process: they are sent alone, and later. */
  quarantined: number;
}

export const NOTHING_RESCUED: RescueOutcome = {
  instanceNos: [],
  rescued: 0,
  suspects: [],
  quarantined: 0,
};

/** Numbers of the rule that disables webhooks. */
export interface DisableRule {
  afterMs: number;
  attempts: number;
  events: number;
  /** A webhook disabled for failing is probed first after this time. */
  probeAfterMs: number;
  /**
   * A webhook that answers 400 to one event name alone is not disabled if it has accepted another name within this
   * time: it refuses that event, not us.
   */
  acceptedWithinMs: number;
}

/** The pace at which deliveries of a recovered webhook are made due. */
export interface PullPace {
  /** Deliveries per second at the beginning. */
  perSecond: number;
  /** Time between doublings. */
  doubleEveryMs: number;
}

export interface DeliveryStore {
  /** @throws `LeaseLostError` when the instance has ended. */
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  /**
   * Returns the oldest held delivery of each disabled webhook that is due for a probe, and schedules the next probe
   * `everyMs` later. One that is planned for later than that from now is due: the clock was set back.
   */
  claimProbes(instanceNo: number, limit: number, everyMs: number): Promise<QueuedDelivery[]>;
  /** Ends leases, each by its name. Those that `instance` has no longer are refused one by one. */
  settle(
    instanceNo: number,
    settlements: readonly Settlement[],
    rule: DisableRule,
  ): Promise<SettleOutcome>;
  /**
   * Stores durable marks before the requests of suspects are written, for many at once. Returns the leases that are
   * ours.
   */
  markStarted(instanceNo: number, leases: readonly LeaseName[]): Promise<number[]>;
  /**
   * Ends these instances, but for those with a later heartbeat, and gives back their deliveries. Also frees leases whose
   * instance row was deleted.
   */
  rescue(silent: readonly InstanceBeat[]): Promise<RescueOutcome>;
  /**
   * Gives back the deliveries that are leased to `instance` but not in `held`, as if they had never been leased.
   * Returns how many. After an accept or claim that threw, its commit may have succeeded: then the leases are ours
   * without our knowledge, and no one else judges an instance that is alive. Call it only while no accept with a lease
   * budget and no claim of this instance is running.
   */
  releaseForgotten(instanceNo: number, held: readonly LeaseName[]): Promise<number>;
  /** Cancels waiting deliveries of deleted webhooks and dropped backlogs, at most `limit`; returns how many. */
  cancelMarked(limit: number): Promise<number>;
  /**
   * Makes waiting deliveries due after a resumption or a recovery, in bounded steps. After a recovery: few in the first
   * second and more in each later one, never before a `Retry-After`, and each delivery once between two attempts of its
   * schedule. Returns how many webhooks had a step.
   */
  pullForward(limit: number, pace: PullPace): Promise<number>;
  /**
   * One bounded search for the oldest delivery that is due, not blocked, not held, and not kept waiting by its receiver,
   * which asked for a pause or fails. It covers webhooks with waiting deliveries whose number is above `above` and at
   * most `upTo`, the first `most` of them. Those in `without` do not count.
   */
  oldestDue(
    above: number,
    upTo: number,
    most: number,
    without?: readonly number[],
  ): Promise<OldestDue>;
}

export interface OldestDue {
  /** How long it has been due; 0: none is due. */
  ageMs: number;
  webhooks: number;
  /** The last checked webhook, if there may be more; null: there are no more. */
  lastNo: number | null;
}

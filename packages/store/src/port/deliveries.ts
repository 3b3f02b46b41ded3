import type { EventName } from "@markethook/protocol";
import type { ChatDisabledReason } from "./webhooks.ts";

/** Why a delivery exists. */
export type DeliveryOrigin = "event" | "redelivery" | "ping";

/**
 * One lease of one delivery. Every lease of a delivery has another number, also under the same instance, so that what names
 * an old one never fits a new one.
 */
export interface LeaseName {
  seq: number;
  lease: number;
}

/** A delivery that this process holds the lease of, with what is immutable about it. URL, secret and state are not here. */
export interface QueuedDelivery extends LeaseName {
  eventSeq: number;
  tag: string;
  webhookNo: number;
  eventName: EventName;
  /** Unix seconds. */
  eventTime: number;
  /** JSON text. */
  payload: string;
  /** Buyer's user id, -1 for updates; deliveries of one webhook with the same key go in order of `seq`. */
  orderKey: number | null;
  /** Requests made so far. */
  attempts: number;
  /** Failures that count in the retry schedule so far. */
  step: number;
  /** Answers of the kind "slow down" so far. */
  throttled: number;
  /** Above 0: it may have ended the process that sent it. How much it is suspected (`suspicion.ts`). */
  suspicion: number;
  origin: DeliveryOrigin;
  /** Sent before its time, by a person or after a recovery: it uses up no step of the retry schedule. */
  early: boolean;
  /** Sent to find out whether a disabled webhook answers again. */
  probe: boolean;
}

/** One HTTP request and what came of it, as stored. */
export interface AttemptRecord {
  /** Counted from 1. */
  number: number;
  outcome: string;
  status: number | null;
  /** JSON text of `AttemptDetail`. */
  detail: string;
}

/** What an attempt's `detail` holds. Together with the delivery it rebuilds the exact request. */
export interface AttemptDetail {
  /** Milliseconds since the epoch. */
  at: number;
  /** Sender profile number. */
  profile: number;
  /** What may be shown of it. */
  url: string;
  /** Empty for a chat, as the signature: nothing is signed there. */
  nonce: string;
  /** Unix seconds. */
  timestamp: number;
  signature: string;
  /** What was sent to a chat, which cannot be rebuilt: its words are the owner's of that moment. */
  chat?: ChatAttempt;
  signatureNext?: string;
  standard?: string;
  /** Milliseconds. */
  timings?: {
    dnsMs: number | null;
    connectMs: number | null;
    tlsMs: number | null;
    firstByteMs: number | null;
    totalMs: number;
  };
  /** No byte of the request left. Absent: it was sent, as far as is known. */
  sent?: false;
  headers?: [string, string][];
  /** The answer's body, at most 16 KiB, as text; `bodyBase64` when it is not UTF-8. */
  body?: string;
  bodyBase64?: string;
  bodyTruncated?: boolean;
  /** The server's, where it was refused; as it showed it. */
  certificate?: { names: string; issuer: string; validFrom: string; validTo: string };
  /** For operators only. */
  operatorDetail?: string;
  /** The buyer was taken out of it: what was sent and answered is not known any more. */
  erased?: true;
}

export interface ChatAttempt {
  method: "POST" | "PATCH";
  /** Without Host and Content-Length. */
  headers: [name: string, value: string][];
  body: string;
  /** The message that was to be changed. */
  editOf?: string;
  /** Sentences for the owner. */
  warnings?: string[];
  /** Why the default message stood in for the owner's. */
  fault?: string;
}

export type EndState = "delivered" | "dead" | "cancelled";

export type SettlementNext =
  | { kind: "end"; state: EndState; reason: string | null }
  /** Back to waiting; the database adds its now to the delay. */
  | Retry
  /** Back to waiting, due at once, as if never taken. */
  | { kind: "release" }
  /** The sender ended with its request: back to waiting as a suspect, as if a process had ended with it (`suspicion.ts`). */
  | { kind: "lost" };

export interface Retry {
  kind: "retry";
  delayMs: number;
  counts: boolean;
  throttled: boolean;
  /** An early attempt: the delivery is not due again before the time that its schedule has. */
  early?: boolean;
  /** The receiver asked to wait this long: no recovery makes the delivery due before. */
  askedMs?: number;
}

/** What an attempt says about its webhook's health. Absent where it says nothing new. */
export type HealthSignal =
  | { kind: "ok" }
  | { kind: "failed"; badRequest: boolean }
  | { kind: "disable"; reason: "gone" | "receiver_request" }
  /** All webhooks, of whatever owner, that have this address now. */
  | { kind: "disable_chat"; reason: ChatDisabledReason; target: string };

export interface Settlement extends LeaseName {
  webhookNo: number;
  eventSeq: number;
  eventName: EventName;
  attempt: AttemptRecord | null;
  next: SettlementNext;
  health?: HealthSignal;
  /** A delivered purchase's message, to be found again when it is taken back. */
  chatMessage?: { userId: number; messageId: string };
}

export interface SettleOutcome {
  /** Deliveries whose lease was no longer ours: nothing was changed for these. */
  refused: number[];
  /** Webhooks whose state changed in this transaction. */
  changedWebhooks: number[];
  /** Deliveries whose own settlement cannot be stored, with the database's words: all others are stored. */
  failed: { seq: number; why: string }[];
}

/** Deliveries of one webhook with the same order key go one after the other. */
export interface OrderPair {
  webhookNo: number;
  orderKey: number;
}

export interface ClaimRequest {
  instanceNo: number;
  /** Webhook number after which the rotating scan goes on; 0 to start. */
  cursor: number;
  /** At most this many webhooks are visited. */
  webhooks: number;
  /** At most this many rows per webhook. */
  perWebhook: number;
  /** Order keys whose earlier delivery has just ended: looked at first, whatever their due time. */
  hints: readonly OrderPair[];
  /** Webhooks to pass over: their share in memory is used up. */
  full: readonly number[];
}

export interface ClaimOutcome {
  deliveries: QueuedDelivery[];
  /** The last webhook visited, to go on from; 0 after the end of the circle. */
  cursor: number;
  /** Webhooks visited. */
  visited: number;
  /** Keys under which something waits behind an earlier delivery: to be woken when that one ends. */
  blocked: OrderPair[];
}

export interface RescueOutcome {
  /** Instances that were found dead and ended. */
  instanceNos: number[];
  /** Deliveries given back. */
  rescued: number;
  /** Of these, suspects by their level now; none of a process that goes on under another instance. */
  suspects: { level: number; count: number }[];
  /** Of these, sure to have ended their process: to be sent alone, and later. */
  quarantined: number;
}

export const NOTHING_RESCUED: RescueOutcome = {
  instanceNos: [],
  rescued: 0,
  suspects: [],
  quarantined: 0,
};

/** The disabling rule's numbers. */
export interface DisableRule {
  afterMs: number;
  attempts: number;
  events: number;
  /** A webhook disabled for failing is probed first after this time. */
  probeAfterMs: number;
  /**
   * A webhook that answers 400 to one event name alone is not disabled if it has accepted another name within this
   * time: it dislikes that event, not us.
   */
  acceptedWithinMs: number;
}

/** How the deliveries of a webhook that has recovered are made due. */
export interface PullPace {
  /** In a second, to begin with. */
  perSecond: number;
  /** How often that doubles. */
  doubleEveryMs: number;
}

export interface DeliveryStore {
  /** @throws `LeaseLostError` when the instance has ended. */
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  /** The oldest held delivery of each webhook whose probe is due; moves the probe on by `everyMs`. */
  claimProbes(instanceNo: number, limit: number, everyMs: number): Promise<QueuedDelivery[]>;
  /** Writes that end leases, each by its name. Those no longer held by `instance` are refused one by one. */
  settle(
    instanceNo: number,
    settlements: readonly Settlement[],
    rule: DisableRule,
  ): Promise<SettleOutcome>;
  /** A durable mark before suspects' requests are written, for many at once. Answers which of them are ours. */
  markStarted(instanceNo: number, leases: readonly LeaseName[]): Promise<number[]>;
  /**
   * Ends instances that missed their heartbeat for `leaseMs` and gives back what they held; also frees leases whose
   * instance has no row. `own` is never judged.
   */
  rescue(own: number, leaseMs: number): Promise<RescueOutcome>;
  /**
   * Gives back what is leased to `instance` but not among `held`, as if never taken; returns how many. After an accept
   * or claim that threw, its commit may have succeeded all the same: the leases are then ours without our knowing,
   * and nobody else judges an instance that is alive. Only to be called while no accept with a lease budget and no claim of
   * this instance is running.
   */
  releaseForgotten(instanceNo: number, held: readonly LeaseName[]): Promise<number>;
  /** Cancels waiting deliveries of deleted webhooks and dropped backlogs, at most `limit`; returns how many. */
  cancelMarked(limit: number): Promise<number>;
  /**
   * Makes waiting deliveries due where a resumption or a recovery asked for it, in bounded steps: after a recovery few in
   * the first second and more in each, never before a `Retry-After`, and each delivery once between two attempts of its
   * schedule. Returns how many webhooks had a step.
   */
  pullForward(limit: number, pace: PullPace): Promise<number>;
  /**
   * One bounded look for the oldest delivery that is due, not blocked and not held: over webhooks with something
   * waiting whose number is above `above` and at most `upTo`, the first `most` of them.
   */
  oldestDue(above: number, upTo: number, most: number): Promise<OldestDue>;
}

export interface OldestDue {
  /** How long it has been due; 0 when nothing is. */
  ageMs: number;
  /** How many webhooks were looked at. */
  webhooks: number;
  /** The last of them, when there were as many as allowed; null: there are no more. */
  lastNo: number | null;
}

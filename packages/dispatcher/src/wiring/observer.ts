import type { EventName } from "@markethook/protocol";
import type { RescueOutcome } from "@markethook/store";
import type { AttemptOutcome } from "../deliver/judge-answer.ts";
import type { ThreadEnd } from "../send/threads/thread.ts";

/**
 * Reports milestones as they happen. Metrics and logs listen in production; tests wait for them instead of sleeping.
 * Listeners must not throw.
 */
export interface Observer {
  accepted(batch: {
    items: number;
    accepted: number;
    leased: number;
    notPreLeased: number;
    ms: number;
  }): void;
  claimed(batch: { deliveries: number; visited: number; ms: number }): void;
  attempt(attempt: {
    webhookId: string;
    webhookNo: number;
    deliverySeq: number;
    eventSeq: number;
    /** Random part of the event; with a number it makes the API's ids. */
    tag: string;
    eventName: EventName;
    number: number;
    outcome: AttemptOutcome;
    status: number | null;
    ms: number;
    host: string;
    next: string;
    /** May name addresses: for operators. */
    detail: string | null;
  }): void;
  settled(batch: { deliveries: number; refused: number; ms: number }): void;
  instanceStarted(instanceNo: number): void;
  instanceLost(instanceNo: number, why: string): void;
  rescued(rescue: RescueOutcome): void;
  /** Most webhooks cannot be connected to, so the fault is probably in our own network. False: that is over. */
  networkSuspected(suspected: boolean): void;
  /** Others send in place of this instance, whose network is probably down. False: it takes part again. */
  steppedAside(isAside: boolean): void;
  /** A sender thread ended although it was not stopped; the next one starts by itself. */
  senderThreadEnded(end: ThreadEnd): void;
  fault(where: string, error: unknown): void;
}

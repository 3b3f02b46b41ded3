import {
  deliveryId,
  eventId,
  makeNonce,
  type RandomBytes,
  type SenderProfile,
} from "@markethook/protocol";
import type { QueuedDelivery, SendableWebhook, Settlement } from "@markethook/store";
import type { createDeliverChat } from "../chat/deliver-chat.ts";
import type { OpenRequest } from "../gates/gate.ts";
import type { QueueEntry } from "../queue/webhook-queue.ts";
import type { Heartbeat } from "../lease/heartbeat.ts";
import type { Marks } from "./suspect-marks.ts";
import type { Observer } from "../wiring/observer.ts";
import { type Outcome, withoutAttempt } from "./settler.ts";
import type { Sender } from "../send/sender.ts";
import type { JudgedResult } from "../send/signed-exchange.ts";
import { isOurs, judge, type Judged, type SettlementRules } from "./settlement.ts";

const OWN_FAULT_DELAY_MS = 5000;

/**
 * Handles the turn of one delivery. The sender signs, because it may have a thread for that; what an answer means is
 * judged here.
 *
 * no such webhook                                     -> cancelled
 * suspect (its process may have ended because of it)  -> a durable mark first
 * otherwise                                           -> signed or made a chat's message, sent, judged
 */
export interface DeliverOptions {
  heartbeat: Pick<Heartbeat, "mayWrite">;
  sender: Pick<Sender, "startSigned">;
  marks: Marks;
  profile: SenderProfile & { no: number };
  rules: SettlementRules;
  sendChat: ReturnType<typeof createDeliverChat>;
  randomBytes: RandomBytes;
  /** Monotonic milliseconds. */
  now: () => number;
  coolDown(webhookNo: number, until: number): void;
  settle(outcome: Outcome): void;
  /** Called when a request's turn has come. Returns the test for addresses to which it may go. */
  reach(webhook: SendableWebhook): (address: string) => boolean;
  /** Returns true if this failure is probably our own network's; then it does not count against the receiver. */
  noteResult(webhook: SendableWebhook, host: string, result: JudgedResult): boolean;
  finish(request: OpenRequest, ok: boolean | null, address: string | null): void;
  observer: Observer;
}

export function createDeliver(options: DeliverOptions) {
  const { heartbeat, sender, rules, now, observer } = options;

  function skip(entry: QueueEntry, request: OpenRequest, next: Settlement["next"]): void {
    options.finish(request, null, null);
    options.settle(withoutAttempt(entry, next));
  }

  /**
   * Throws nothing. A signed request ends with a call: promises of so many requests would be garbage that outlives
   * them.
   */
  function send(
    entry: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
    mayReach = options.reach(webhook),
  ): void {
    try {
      if (webhook.chat === null) sendSigned(entry, webhook, request, mayReach);
      else sendChat(entry, webhook, request).catch((error: unknown) => fail(entry, request, error));
    } catch (error) {
      fail(entry, request, error);
    }
  }

  async function sendChat(
    entry: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
  ): Promise<void> {
    const { instanceNo } = entry;
    const right = { mayWrite: () => heartbeat.mayWrite(instanceNo), instanceNo };
    const { result, judged } = await options.sendChat(entry.delivery, webhook, right);
    conclude(entry, webhook, request, result, judged);
  }

  function sendSigned(
    entry: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
    mayReach: (address: string) => boolean,
  ): void {
    const { delivery, instanceNo } = entry;
    const number = delivery.attempts + 1;
    const { url, shownUrl, secrets } = webhook;
    const unsigned = {
      profile: options.profile,
      constants: constantsOf(delivery, webhook),
      attempt: number,
      url,
      shownUrl,
      secrets,
      at: rules.wallNow(),
      nonce: makeNonce(options.randomBytes),
    };
    sender.startSigned(unsigned, {
      mayWrite: () => heartbeat.mayWrite(instanceNo),
      instanceNo,
      mayReach,
      party: webhook.ownerId,
      ended(result, detail) {
        try {
          const attempt = { number, outcome: "", status: result.status, detail };
          const judged = judge(delivery, webhook, result, attempt, rules);
          conclude(entry, webhook, request, result, judged);
        } catch (error) {
          fail(entry, request, error);
        }
      },
      failed: (error) => fail(entry, request, error),
    });
  }

  function conclude(
    { delivery, instanceNo: lease }: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
    result: JudgedResult,
    { verdict, settlement, coolDownMs }: Judged,
  ): void {
    if (settlement.attempt !== null) settlement.attempt.outcome = verdict.outcome;
    const ownFault = options.noteResult(webhook, request.host, result);
    if (ownFault && settlement.health?.kind === "failed") delete settlement.health;
    if (coolDownMs > 0) options.coolDown(delivery.webhookNo, now() + coolDownMs);
    options.settle({ instanceNo: lease, settlement, orderKey: delivery.orderKey });
    options.finish(request, isOurs(verdict) ? null : verdict.next === "delivered", result.address);
    tell({
      webhookId: webhook.id,
      webhookNo: webhook.no,
      deliverySeq: delivery.seq,
      eventSeq: delivery.eventSeq,
      tag: delivery.tag,
      eventName: delivery.eventName,
      number: delivery.attempts + 1,
      outcome: verdict.outcome,
      status: result.status,
      ms: result.timings.totalMs,
      host: request.host,
      next: settlement.next.kind === "end" ? settlement.next.state : settlement.next.kind,
      detail: result.detail,
    });
  }

  /** The delivery is settled already: an error of a listener must not settle it again. */
  function tell(attempt: Parameters<Observer["attempt"]>[0]): void {
    try {
      observer.attempt(attempt);
    } catch (error) {
      observer.fault("tell of an attempt", error);
    }
  }

  /** Handles a fault of our own: nothing was recorded, so the lease is given back. */
  function fail(entry: QueueEntry, request: OpenRequest, error: unknown): void {
    observer.fault("deliver", error);
    skip(entry, request, {
      kind: "retry",
      delayMs: OWN_FAULT_DELAY_MS,
      counts: false,
      throttled: false,
    });
  }

  /** If this process ends, the delivery that ended it is among the suspects, and the mark names it. */
  async function sendSuspect(
    entry: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
  ): Promise<void> {
    const mayReach = options.reach(webhook);
    const ours = await options.marks
      .mark(entry.instanceNo, entry.delivery)
      .catch((error: unknown) => {
        observer.fault("mark started", error);
        return false;
      });
    if (ours) send(entry, webhook, request, mayReach);
    else skip(entry, request, { kind: "release" });
  }

  return (entry: QueueEntry, webhook: SendableWebhook | null, request: OpenRequest): void => {
    const { delivery } = entry;
    if (webhook === null) {
      skip(entry, request, { kind: "end", state: "cancelled", reason: "webhook_deleted" });
      return;
    }
    if (delivery.suspicion > 0) {
      sendSuspect(entry, webhook, request).catch((error: unknown) => fail(entry, request, error));
    } else send(entry, webhook, request);
  };
}

function constantsOf(delivery: QueuedDelivery, webhook: SendableWebhook) {
  return {
    eventId: eventId({ seq: delivery.eventSeq, tag: delivery.tag }),
    eventName: delivery.eventName,
    eventTime: delivery.eventTime,
    payload: delivery.payload,
    webhookId: webhook.id,
    resourceId: webhook.resourceId,
    deliveryId: deliveryId({ seq: delivery.seq, tag: delivery.tag }),
  };
}

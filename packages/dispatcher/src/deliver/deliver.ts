import {
  deliveryId,
  eventId,
  isMarkethookError,
  makeNonce,
  type RandomBytes,
  type SenderProfile,
} from "@markethook/protocol";
import {
  isOfContent,
  type QueuedDelivery,
  type SendableWebhook,
  type Settlement,
} from "@markethook/store";
import type { createDeliverChat } from "../chat/deliver-chat.ts";
import { UnusableChat } from "../chat/send-chat.ts";
import type { OpenRequest } from "../gates/gate.ts";
import type { QueueEntry } from "../queue/webhook-queue.ts";
import type { Heartbeat } from "../lease/heartbeat.ts";
import type { Marks } from "./suspect-marks.ts";
import type { Observer } from "../wiring/observer.ts";
import { type Outcome, withoutAttempt } from "./settler.ts";
import type { Sender } from "../send/sender.ts";
import type { JudgedResult, SignedOwner } from "../send/signed-exchange.ts";
import { isOurs, judge, type Judged, type SettlementRules } from "./settlement.ts";

const OWN_FAULT_DELAY_MS = 5000;
/** The same where the content is at fault, and another try soon is of no use. */
const CONTENT_FAULT_DELAY_MS = 60_000;

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

/**
 * Handles the turn of one delivery. The sender signs, because it may have a thread for that; what an answer means is
 * judged here.
 *
 * no such webhook                                     -> cancelled
 * suspect (its process may have ended because of it)  -> a durable mark first
 * otherwise                                           -> signed or made a chat's message, sent, judged
 */
export class Deliver {
  readonly #options: DeliverOptions;

  constructor(options: DeliverOptions) {
    this.#options = options;
  }

  begin(entry: QueueEntry, webhook: SendableWebhook | null, request: OpenRequest): void {
    const { delivery } = entry;
    if (webhook === null) {
      this.#skip(entry, request, { kind: "end", state: "cancelled", reason: "webhook_deleted" });
      return;
    }
    if (delivery.suspicion > 0) {
      this.#sendSuspect(entry, webhook, request).catch((error: unknown) =>
        this.#fail(entry, request, error),
      );
    } else this.#send(entry, webhook, request);
  }

  #skip(entry: QueueEntry, request: OpenRequest, next: Settlement["next"]): void {
    this.#options.finish(request, null, null);
    this.#options.settle(withoutAttempt(entry, next));
  }

  /**
   * Throws nothing. A signed request ends with a call: promises of so many requests would be garbage that outlives
   * them.
   * @param asked what `reach` has answered already
   */
  #send(
    entry: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
    asked?: (address: string) => boolean,
  ): void {
    try {
      const mayReach = asked ?? this.#options.reach(webhook);
      if (webhook.chat === null) this.#sendSigned(entry, webhook, request, mayReach);
      else {
        this.#sendChat(entry, webhook, request).catch((error: unknown) =>
          this.#fail(entry, request, error),
        );
      }
    } catch (error) {
      this.#fail(entry, request, error);
    }
  }

  async #sendChat(
    entry: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
  ): Promise<void> {
    const { heartbeat } = this.#options;
    const { instanceNo } = entry;
    const right = { mayWrite: () => heartbeat.mayWrite(instanceNo), instanceNo };
    const { result, judged } = await this.#options.sendChat(entry.delivery, webhook, right);
    this.#conclude(entry, webhook, request, result, judged);
  }

  #sendSigned(
    entry: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
    mayReach: (address: string) => boolean,
  ): void {
    const { sender, profile, rules, randomBytes } = this.#options;
    const { delivery } = entry;
    const { url, shownUrl, secrets } = webhook;
    const unsigned = {
      profile,
      constants: constantsOf(delivery, webhook),
      attempt: delivery.attempts + 1,
      url,
      shownUrl,
      secrets,
      at: rules.wallNow(),
      nonce: makeNonce(randomBytes),
    };
    sender.startSigned(unsigned, new OpenDelivery(this, entry, webhook, request, mayReach));
  }

  /** This and the next two are for the open deliveries below. */
  mayWrite(instanceNo: number): boolean {
    return this.#options.heartbeat.mayWrite(instanceNo);
  }

  ended(
    { entry, webhook, request }: OpenDelivery,
    result: JudgedResult,
    /** JSON text of an `AttemptDetail`. */
    detail: string,
  ): void {
    try {
      const { delivery } = entry;
      const number = delivery.attempts + 1;
      const attempt = { number, outcome: "", status: result.status, detail };
      const judged = judge(delivery, webhook, result, attempt, this.#options.rules);
      this.#conclude(entry, webhook, request, result, judged);
    } catch (error) {
      this.#fail(entry, request, error);
    }
  }

  failed({ entry, request }: OpenDelivery, error: unknown): void {
    this.#fail(entry, request, error);
  }

  #conclude(
    { delivery, instanceNo }: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
    result: JudgedResult,
    { verdict, settlement, coolDownMs }: Judged,
  ): void {
    if (settlement.attempt !== null) settlement.attempt.outcome = verdict.outcome;
    const ownFault = this.#options.noteResult(webhook, request.host, result);
    if (ownFault && settlement.health?.kind === "failed") delete settlement.health;
    if (coolDownMs > 0) {
      this.#options.coolDown(delivery.webhookNo, this.#options.now() + coolDownMs);
    }
    this.#options.settle({ instanceNo, settlement, orderKey: delivery.orderKey });
    const ok = isOurs(verdict) ? null : verdict.next === "delivered";
    this.#options.finish(request, ok, result.address);
    this.#tell({
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
  #tell(attempt: Parameters<Observer["attempt"]>[0]): void {
    const { observer } = this.#options;
    try {
      observer.attempt(attempt);
    } catch (error) {
      observer.fault("tell of an attempt", error);
    }
  }

  /** Handles a fault of our own: nothing was recorded, so the lease is given back. */
  #fail(entry: QueueEntry, request: OpenRequest, error: unknown): void {
    const { delivery } = entry;
    const { observer, now, coolDown } = this.#options;
    observer.fault("deliver", named(error, delivery));
    const isUnusable = error instanceof UnusableChat;
    if (isUnusable) coolDown(delivery.webhookNo, now() + CONTENT_FAULT_DELAY_MS);
    this.#skip(entry, request, {
      kind: "retry",
      delayMs: isUnusable || isOfContent(error) ? CONTENT_FAULT_DELAY_MS : OWN_FAULT_DELAY_MS,
      counts: false,
      throttled: false,
    });
  }

  /** If this process ends, the delivery that ended it is among the suspects, and the mark names it. */
  async #sendSuspect(
    entry: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
  ): Promise<void> {
    const { marks, observer } = this.#options;
    const mayReach = this.#options.reach(webhook);
    const ours = await marks.mark(entry.instanceNo, entry.delivery).catch((error: unknown) => {
      observer.fault("mark started", error);
      return false;
    });
    if (ours) this.#send(entry, webhook, request, mayReach);
    else this.#skip(entry, request, { kind: "release" });
  }
}

/** A delivery whose request is open. A class, because closures for each request would be garbage that outlives it. */
class OpenDelivery implements SignedOwner {
  readonly entry: QueueEntry;
  readonly webhook: SendableWebhook;
  readonly request: OpenRequest;
  readonly mayReach: (address: string) => boolean;
  readonly #deliver: Deliver;

  constructor(
    deliver: Deliver,
    entry: QueueEntry,
    webhook: SendableWebhook,
    request: OpenRequest,
    mayReach: (address: string) => boolean,
  ) {
    this.#deliver = deliver;
    this.entry = entry;
    this.webhook = webhook;
    this.request = request;
    this.mayReach = mayReach;
  }

  get instanceNo(): number {
    return this.entry.instanceNo;
  }

  get party(): string {
    return this.webhook.ownerId;
  }

  mayWrite(): boolean {
    return this.#deliver.mayWrite(this.entry.instanceNo);
  }

  ended(result: JudgedResult, detail: string): void {
    this.#deliver.ended(this, result, detail);
  }

  failed(error: unknown): void {
    this.#deliver.failed(this, error);
  }
}

/** The fault with the delivery's number, which only the database and the log know. */
function named(error: unknown, { seq }: QueuedDelivery): unknown {
  if (!(error instanceof Error) || isMarkethookError(error)) return error;
  return new Error(`${error.message} (delivery ${seq})`, { cause: error });
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

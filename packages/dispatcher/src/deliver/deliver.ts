import {
  deliveryId,
  eventId,
  isMarkethookError,
  jsonObject,
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
import type { WebhookCache } from "../queue/webhook-cache.ts";
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
  cache: Pick<WebhookCache, "begin" | "end">;
  prepareChat: ReturnType<typeof createDeliverChat>;
  /** JSON text of the event's details as reported; null: none, or erased. */
  readDetails(eventSeq: number): Promise<string | null>;
  randomBytes: RandomBytes;
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
 * no such webhook -> cancelled
 * otherwise       -> prepared, signed or made a chat's message, sent, judged
 * prepared        -> a suspect (its process may have ended because of it) gets a durable mark; for a chat, or an owner who
 *                    wants them sent along, the event's details are read
 *                 --its webhook has changed meanwhile--> given back
 */
export class Deliver {
  readonly #options: DeliverOptions;

  constructor(options: DeliverOptions) {
    this.#options = options;
  }

  begin(entry: QueueEntry, webhook: SendableWebhook | null, request: OpenRequest): void {
    if (webhook === null) {
      const cancelled = { kind: "end", state: "cancelled", reason: "webhook_deleted" } as const;
      this.#skip({ entry, request }, cancelled);
      return;
    }
    const open = new OpenDelivery(this, entry, webhook, request);
    try {
      open.mayReach = this.#options.reach(webhook);
      // A signed request ends with a call: promises of so many requests would be garbage that outlives them.
      if (entry.delivery.suspicion === 0 && webhook.chat === null && !webhook.includeDetails)
        this.#sendSigned(open, null);
      else this.#sendPrepared(open).catch((error: unknown) => this.failed(open, error));
    } catch (error) {
      this.failed(open, error);
    }
  }

  #skip(
    { entry, request }: Pick<OpenDelivery, "entry" | "request">,
    next: Settlement["next"],
  ): void {
    this.#options.finish(request, null, null);
    this.#options.settle(withoutAttempt(entry, next));
  }

  /** A database may take long, and the webhook may change meanwhile, the choice of details too: then all is read again. */
  async #sendPrepared(open: OpenDelivery): Promise<void> {
    const { cache } = this.#options;
    const reading = cache.begin();
    const send = await this.#prepare(open).finally(() => cache.end(reading, []));
    if (send === null || reading.outdated.has(open.webhook.no))
      this.#skip(open, { kind: "release" });
    else await send();
  }

  /** Null: its lease is not ours any more, or cannot be marked. */
  async #prepare(open: OpenDelivery): Promise<(() => void | Promise<void>) | null> {
    const { delivery } = open.entry;
    const { chat, includeDetails } = open.webhook;
    if (delivery.suspicion > 0 && !(await this.#mark(open))) return null;
    if (chat !== null) {
      const sendChat = await this.#options.prepareChat(delivery, open.webhook);
      return async () => {
        const { instanceNo } = open;
        const { result, judged } = await sendChat({ mayWrite: () => open.mayWrite(), instanceNo });
        this.#conclude(open, result, judged);
      };
    }
    const details = includeDetails ? await this.#options.readDetails(delivery.eventSeq) : null;
    // Damaged ones would damage the whole body.
    const isWhole = details !== null && jsonObject(details) !== null;
    return () => this.#sendSigned(open, isWhole ? details : null);
  }

  #sendSigned(open: OpenDelivery, details: string | null): void {
    const { sender, profile, rules, randomBytes } = this.#options;
    const { delivery } = open.entry;
    const unsigned = {
      profile,
      constants: constantsOf(delivery, details, open.webhook),
      attempt: delivery.attempts + 1,
      webhook: open.webhook,
      at: rules.wallNow(),
      nonce: makeNonce(randomBytes),
    };
    sender.startSigned(unsigned, open);
  }

  /** This and the next two are for the open deliveries below. */
  mayWrite(instanceNo: number): boolean {
    return this.#options.heartbeat.mayWrite(instanceNo);
  }

  /** `detail`: the JSON text of an `AttemptDetail`. */
  ended(open: OpenDelivery, result: JudgedResult, detail: string): void {
    try {
      const { delivery } = open.entry;
      const number = delivery.attempts + 1;
      const attempt = { number, outcome: "", status: result.status, detail };
      const judged = judge(delivery, open.webhook, result, attempt, this.#options.rules);
      this.#conclude(open, result, judged);
    } catch (error) {
      this.failed(open, error);
    }
  }

  /** Handles a fault of our own: nothing was recorded, so the lease is given back. */
  failed(open: OpenDelivery, error: unknown): void {
    const { delivery } = open.entry;
    const { observer, now, coolDown } = this.#options;
    observer.fault("deliver", named(error, delivery));
    const isUnusable = error instanceof UnusableChat;
    if (isUnusable) coolDown(delivery.webhookNo, now() + CONTENT_FAULT_DELAY_MS);
    const isContent = isUnusable || isOfContent(error);
    const delayMs = isContent ? CONTENT_FAULT_DELAY_MS : OWN_FAULT_DELAY_MS;
    this.#skip(open, { kind: "retry", delayMs, counts: false, throttled: false });
  }

  #conclude(
    { entry: { delivery, instanceNo }, webhook, request }: OpenDelivery,
    result: JudgedResult,
    { verdict, settlement, coolDownMs }: Judged,
  ): void {
    if (settlement.attempt !== null) settlement.attempt.outcome = verdict.outcome;
    const ownFault = this.#options.noteResult(webhook, request.host, result);
    if (ownFault && settlement.health?.kind === "failed") delete settlement.health;
    if (coolDownMs > 0 && !request.webhookChanged) {
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
      observer.fault("report an attempt", error);
    }
  }

  /** If this process ends, the delivery that ended it is among the suspects, and the mark names it. */
  async #mark({ entry: { instanceNo, delivery } }: OpenDelivery): Promise<boolean> {
    const { marks, observer } = this.#options;
    return await marks.mark(instanceNo, delivery).catch((error: unknown) => {
      observer.fault("mark started", error);
      return false;
    });
  }
}

/** A delivery whose request is open. A class, because closures for each request would be garbage that outlives it. */
class OpenDelivery implements SignedOwner {
  readonly entry: QueueEntry;
  readonly webhook: SendableWebhook;
  readonly request: OpenRequest;
  mayReach = nowhere;
  readonly #deliver: Deliver;

  constructor(deliver: Deliver, entry: QueueEntry, webhook: SendableWebhook, request: OpenRequest) {
    this.#deliver = deliver;
    this.entry = entry;
    this.webhook = webhook;
    this.request = request;
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

/** Until it is known where it may go. */
function nowhere(_address: string): boolean {
  return false;
}

/** The fault with the delivery's number, which only the database and the log know. */
function named(error: unknown, { seq }: QueuedDelivery): unknown {
  if (!(error instanceof Error) || isMarkethookError(error)) return error;
  return new Error(`${error.message} (delivery ${seq})`, { cause: error });
}

function constantsOf(delivery: QueuedDelivery, details: string | null, webhook: SendableWebhook) {
  return {
    eventId: eventId({ seq: delivery.eventSeq, tag: delivery.tag }),
    eventName: delivery.eventName,
    eventTime: delivery.eventTime,
    payload: delivery.payload,
    details,
    webhookId: webhook.id,
    resourceId: webhook.resourceId,
    deliveryId: deliveryId({ seq: delivery.seq, tag: delivery.tag }),
  };
}

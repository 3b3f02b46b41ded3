import {
  deliveryId,
  eventId,
  makeTag,
  MarkethookError,
  pingPayload,
  product,
  type RandomBytes,
  type RenderedRequest,
  type SenderProfile,
} from "@markethook/protocol";
import type { SendableWebhook, Store } from "@markethook/store";
import { attemptDetail, rounded } from "./attempt-detail.ts";
import { type AttemptOutcome, classify } from "./classify.ts";
import type { Sender } from "./send/sender.ts";
import type { Timings } from "./send/send-result.ts";
import { signedRequest } from "./signed-request.ts";
import { sentenceFor } from "./sentences.ts";

export interface PingResult {
  deliveryId: string;
  eventId: string;
  outcome: AttemptOutcome;
  status: number | null;
  /** Plain words for the owner. */
  sentence: string;
  timings: Timings;
  request: RenderedRequest;
  response: { status: number; headers: [string, string][]; body: string } | null;
}

export interface PingOptions {
  store: Pick<Store, "log" | "webhooks" | "resources">;
  sender: Sender;
  profile: SenderProfile & { no: number };
  baseUrl: string;
  randomBytes: RandomBytes;
  /** Unix milliseconds. */
  wallNow: () => number;
}

/**
 * Exactly one request per press, now: no fan-out, retry, rescue or redelivery, whatever events are chosen and
 * whatever the webhook's state. Recorded after its answer, so a crash in between records nothing.
 *
 * @throws `not_found`, `rotation_not_open` when it is to be signed with a new secret that does not exist.
 */
export function createPing(options: PingOptions) {
  const { store, profile, randomBytes, wallNow } = options;

  return async (
    webhookId: string,
    ownerId: string | null,
    secret: "current" | "next",
  ): Promise<PingResult> => {
    const { seq, deliverySeq, webhookNo } = await store.log.reservePing(webhookId, ownerId);
    const [webhook] = await store.webhooks.forSending([webhookNo]);
    if (webhook === undefined) throw new MarkethookError("not_found");
    const resource = await store.resources.find(webhook.resourceId);
    if (resource === null) throw new MarkethookError("not_found");

    const at = wallNow();
    const timestamp = Math.floor(at / 1000);
    const tag = makeTag(randomBytes);
    const id = eventId({ seq, tag });
    const constants = {
      eventId: id,
      eventName: "ping",
      eventTime: timestamp,
      payload: JSON.stringify(pingPayload(product(options.baseUrl, resource), webhook.url)),
      webhookId,
      resourceId: webhook.resourceId,
      deliveryId: deliveryId({ seq: deliverySeq, tag }),
    };
    const { request, variables } = signedRequest(profile, constants, 1, {
      url: webhook.url,
      secrets: secretsFor(webhook, secret),
      at,
      randomBytes,
    });
    const result = await options.sender.send(request, () => true);
    const verdict = classify(result);
    await store.log.recordPing({
      seq,
      tag,
      webhookNo,
      resourceId: webhook.resourceId,
      time: timestamp,
      payload: constants.payload,
      state: verdict.next === "delivered" ? "delivered" : "dead",
      attempt: {
        number: 1,
        outcome: verdict.outcome,
        status: result.status,
        detail: JSON.stringify(attemptDetail(at, profile.no, variables, result)),
      },
    });
    return {
      deliveryId: constants.deliveryId,
      eventId: id,
      outcome: verdict.outcome,
      status: result.status,
      sentence: sentenceFor(verdict.outcome),
      timings: rounded(result.timings),
      request,
      response:
        result.status === null
          ? null
          : { status: result.status, headers: result.headers, body: result.body.toString("utf8") },
    };
  };
}

function secretsFor(webhook: SendableWebhook, secret: "current" | "next") {
  if (secret === "current") return webhook.secrets;
  if (webhook.secrets.next === undefined) throw new MarkethookError("rotation_not_open");
  return { current: webhook.secrets.next };
}

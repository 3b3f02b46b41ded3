import {
  deliveryId,
  eventId,
  given,
  makeTag,
  makeNonce,
  MarkethookError,
  pingPayload,
  product,
  type RandomBytes,
  type RenderedRequest,
  renderRequest,
  type RequestConstants,
  type SenderProfile,
} from "@markethook/protocol";
import type { AttemptDetail, SendableWebhook, Store } from "@markethook/store";
import { attemptDetail } from "../send/attempt-detail.ts";
import type { AttemptOutcome } from "../deliver/judge-answer.ts";
import type { PingChat, PingExchange } from "../chat/ping-chat.ts";
import { type InTurnOptions, outcomeInTurn, sendInTurn, toldOf } from "./send-in-turn.ts";
import type { CertificateFacts, Timings } from "../send/send-result.ts";
import { scrub } from "../send/scrub.ts";
import { signedRequest } from "../send/signed-request.ts";

export interface PingResult {
  webhookNo: number;
  /** The address of the receiver; null: there was no connection. */
  address: string | null;
  deliveryId: string;
  eventId: string;
  outcome: AttemptOutcome;
  status: number | null;
  /** Plain words for the owner. */
  sentence: string;
  /** False: no byte of the request was sent. */
  sent: boolean;
  timings: Timings;
  request: RenderedRequest;
  response: { status: number; headers: [string, string][]; body: string } | null;
  /** The beginning of a body that reads like a refusal, although the status says accepted. */
  refusal?: string;
  /** The server's certificate, if it was refused. */
  certificate?: CertificateFacts;
  /** For a chat: the parts of the message that were cut, and why the default message replaced the owner's. */
  warnings?: string[];
  fault?: string;
}

export interface PingOptions extends InTurnOptions {
  store: Pick<Store, "log" | "webhooks" | "resources">;
  pingChat: PingChat;
  /** Returns false if this service sends nothing to the URL. */
  mayGo(url: string): Promise<boolean>;
  profile: SenderProfile & { no: number };
  baseUrl: string;
  randomBytes: RandomBytes;
  /** Unix milliseconds. */
  wallNow: () => number;
}

/**
 * Sends exactly one request per press, now: no fan-out, retry, rescue or redelivery, for any chosen events and any
 * state of the webhook. It is recorded after its answer, so a crash in between records nothing.
 *
 * @throws `not_found`, `dry_run`, `rotation_not_open` when it is to be signed with a new secret that does not exist.
 */
export function createPing(options: PingOptions) {
  const { store, profile, randomBytes, wallNow } = options;

  async function pingSigned(
    webhook: SendableWebhook,
    constants: RequestConstants,
    /** The payload in the form that may be shown. */
    payload: string,
    secret: "current" | "next",
  ): Promise<PingExchange> {
    const at = wallNow();
    const { request, variables } = signedRequest(profile, constants, 1, {
      url: webhook.url,
      secrets: secretsFor(webhook, secret),
      at,
      nonce: makeNonce(randomBytes),
    });
    const answer = await sendInTurn(options, webhook, request);
    const outcome = outcomeInTurn(answer);
    const result = scrub(answer, webhook);
    const url = webhook.shownUrl;
    const detail = attemptDetail({ at, profile, shownUrl: url }, variables, result);
    const shown = renderRequest(profile, { ...constants, payload }, 1, { ...variables, url });
    return { request: shown, result, outcome, detail };
  }

  return async (
    webhookId: string,
    ownerId: string | null,
    secret: "current" | "next",
  ): Promise<PingResult> => {
    const { seq, deliverySeq, webhookNo } = await store.log.reservePing(webhookId, ownerId);
    const [webhook] = await store.webhooks.forSending([webhookNo]);
    if (webhook === undefined) throw new MarkethookError("not_found");
    if (!(await options.mayGo(webhook.url))) throw new MarkethookError("dry_run");
    const resource = await store.resources.find(webhook.resourceId);
    if (resource === null) throw new MarkethookError("not_found");

    const timestamp = Math.floor(wallNow() / 1000);
    const tag = makeTag(randomBytes);
    const about = product(options.baseUrl, resource);
    // The receiver gets its exact URL; the stored and shown ping has it hidden.
    const payload = JSON.stringify(pingPayload(about, webhook.shownUrl));
    const constants = {
      eventId: eventId({ seq, tag }),
      eventName: "ping",
      eventTime: timestamp,
      payload: JSON.stringify(pingPayload(about, webhook.url)),
      webhookId,
      resourceId: webhook.resourceId,
      deliveryId: deliveryId({ seq: deliverySeq, tag }),
    } as const;
    const { request, result, outcome, detail } =
      webhook.chat === null
        ? await pingSigned(webhook, constants, payload, secret)
        : await options.pingChat(webhook, { ...constants, payload, eventSeq: seq, userId: null });
    await store.log.recordPing({
      seq,
      tag,
      webhookNo,
      resourceId: webhook.resourceId,
      time: timestamp,
      payload,
      state: outcome === "ok" ? "delivered" : "dead",
      attempt: { number: 1, outcome, status: result.status, detail },
    });
    return {
      webhookNo,
      address: result.address,
      deliveryId: constants.deliveryId,
      eventId: constants.eventId,
      request,
      ...toldOf(outcome, result, webhook.chat !== null),
      ...chatRemarks(detail),
    };
  };
}

function chatRemarks(detail: string): Pick<PingResult, "warnings" | "fault"> {
  // Written a moment ago.
  const { chat } = JSON.parse(detail) as AttemptDetail;
  return given({ warnings: chat?.warnings, fault: chat?.fault });
}

function secretsFor(webhook: SendableWebhook, secret: "current" | "next") {
  if (secret === "current") return webhook.secrets;
  if (webhook.secrets.next === undefined) throw new MarkethookError("rotation_not_open");
  return { current: webhook.secrets.next };
}

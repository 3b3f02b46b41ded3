import {
  deliveryId,
  eventId,
  given,
  makeTag,
  MarkethookError,
  pingPayload,
  type RenderedRequest,
  type RequestConstants,
} from "@markethook/protocol";
import type { AttemptDetail, CertificateFacts, SendableWebhook, Timings } from "@markethook/store";
import { attemptDetail } from "../send/attempt-detail.ts";
import type { AttemptOutcome } from "../deliver/judge-answer.ts";
import type { PingChat, PingExchange } from "../chat/ping-chat.ts";
import { type ByHandOptions, receiverOf, sendInTurn, shownOf, signByHand } from "./send-in-turn.ts";

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

/**
 * Sends exactly one request per press, now: no fan-out, retry, rescue or redelivery, for any chosen events and any
 * state of the webhook. It is recorded after its answer, so a crash in between records nothing.
 *
 * @throws `not_found`, `dry_run`, `webhook_not_active` where its resource was sold, `rotation_not_open` when it is to be
 * signed with a new secret that does not exist.
 */
export function createPing(options: ByHandOptions & { pingChat: PingChat }) {
  const { store, profile, randomBytes, wallNow } = options;

  async function pingSigned(
    webhook: SendableWebhook,
    constants: RequestConstants,
    shownPayload: string,
    secret: "current" | "next",
  ): Promise<PingExchange> {
    const { shownUrl } = webhook;
    const secrets = secretsFor(webhook, secret);
    const signed = signByHand(options, webhook, constants, { secrets, shownPayload });
    const { request, shown, variables, at } = signed;
    const { outcome, result } = await sendInTurn(options, webhook, request);
    const detail = attemptDetail({ at, profile, shownUrl }, variables, result);
    return { request: shown, result, outcome, detail };
  }

  return async (
    webhookId: string,
    ownerId: string | null,
    secret: "current" | "next",
  ): Promise<PingResult> => {
    const { seq, deliverySeq, webhookNo } = await store.log.reservePing(webhookId, ownerId);
    const { webhook, about } = await receiverOf(options, webhookNo, { isSent: true });

    const timestamp = Math.floor(wallNow() / 1000);
    const tag = makeTag(randomBytes);
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
      ...shownOf(outcome, result, webhook.chat !== null),
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

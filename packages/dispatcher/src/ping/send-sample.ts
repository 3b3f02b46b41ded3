import {
  deliveryId,
  eventId,
  makeTag,
  MarkethookError,
  type RenderedRequest,
  type ReportedEventName,
  sampleEventDetails,
  sampleEventPayload,
} from "@markethook/protocol";
import { type ByHandOptions, receiverOf, sendInTurn, shownOf, signByHand } from "./send-in-turn.ts";
import { NOT_SENT } from "../send/send-result.ts";
import { withHeader } from "../send/signed-request.ts";
import type { PingResult } from "./ping.ts";

/** The result of a ping, without the parts that belong to the log and to chats. */
export type SampleResult = Omit<PingResult, "webhookNo" | "address" | "warnings" | "fault">;

export interface Sample {
  event: ReportedEventName;
  /** The buyer of a user event. */
  userId: number;
  /** True: returns the request and sends nothing. */
  dryRun: boolean;
}

/**
 * Sends an event that did not happen, about the webhook's own resource: signed and shaped like a real one, with a
 * header that marks it. Sends exactly one request, now, for any event and any state of the webhook, and stores nothing.
 *
 * @throws `not_found`, `webhook_is_chat`, `webhook_not_active`, `dry_run`
 */
export function createSendSample(options: ByHandOptions) {
  const { store, profile, randomBytes, wallNow } = options;

  return async (
    webhookId: string,
    ownerId: string | null,
    sample: Sample,
  ): Promise<SampleResult> => {
    const { chat, no } = await store.webhooks.get(webhookId, ownerId);
    if (chat !== null) throw new MarkethookError("webhook_is_chat");
    const { seq, deliverySeq } = sample.dryRun
      ? UNUSED_NUMBERS
      : await store.log.reservePing(webhookId, ownerId);
    const { webhook, resource, about } = await receiverOf(options, no, { isSent: !sample.dryRun });

    const time = Math.floor(wallNow() / 1000);
    const tag = makeTag(randomBytes);
    const details = webhook.includeDetails ? sampleEventDetails(sample.event) : null;
    const constants = {
      eventId: eventId({ seq, tag }),
      eventName: sample.event,
      eventTime: time,
      payload: JSON.stringify(sampleEventPayload(sample, about, resource.fileVersion, time)),
      details: details && JSON.stringify(details),
      webhookId,
      resourceId: webhook.resourceId,
      deliveryId: deliveryId({ seq: deliverySeq, tag }),
    };
    const { request, shown } = signByHand(options, webhook, constants);
    const mark = (one: RenderedRequest) => withHeader(one, `X-${profile.serviceName}-Sample`, "1");
    const ids = { deliveryId: constants.deliveryId, eventId: constants.eventId };
    if (sample.dryRun) return { ...ids, request: mark(shown), ...TRIED };
    const { outcome, result } = await sendInTurn(options, webhook, mark(request));
    return { ...ids, request: mark(shown), ...shownOf(outcome, result, false) };
  };
}

/** A preview must not use up event numbers. */
const UNUSED_NUMBERS = { seq: 1, deliverySeq: 1 };

const TRIED = {
  outcome: "stopped",
  status: null,
  sentence: "Nothing was sent: this is what would be.",
  sent: false,
  timings: NOT_SENT.timings,
  response: null,
} as const;

import {
  deliveryId,
  eventId,
  makeNonce,
  makeTag,
  MarkethookError,
  product,
  type RandomBytes,
  type RenderedRequest,
  renderRequest,
  type ReportedEventName,
  sampleEventPayload,
  type SenderProfile,
} from "@markethook/protocol";
import type { Store } from "@markethook/store";
import { scrub } from "../send/scrub.ts";
import { type InTurnOptions, outcomeInTurn, sendInTurn, toldOf } from "./send-in-turn.ts";
import { NOT_SENT } from "../send/send-result.ts";
import { signedRequest, withHeader } from "../send/signed-request.ts";
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

export interface SendSampleOptions extends InTurnOptions {
  store: Pick<Store, "log" | "webhooks" | "resources">;
  /** Returns false if this service sends nothing to the URL. */
  mayGo(url: string): Promise<boolean>;
  profile: SenderProfile;
  baseUrl: string;
  randomBytes: RandomBytes;
  /** Unix milliseconds. */
  wallNow: () => number;
}

/**
 * Sends an event that did not happen, about the webhook's own resource: signed and shaped like a real one, with a
 * header that marks it. Sends exactly one request, now, for any event and any state of the webhook, and stores nothing.
 *
 * @throws `not_found`, `webhook_is_chat`, `dry_run`
 */
export function createSendSample(options: SendSampleOptions) {
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
    const [webhook] = await store.webhooks.forSending([no]);
    const resource = webhook && (await store.resources.find(webhook.resourceId));
    if (webhook === undefined || resource == null) throw new MarkethookError("not_found");
    if (!(await options.mayGo(webhook.url))) throw new MarkethookError("dry_run");

    const at = wallNow();
    const time = Math.floor(at / 1000);
    const tag = makeTag(randomBytes);
    const about = product(options.baseUrl, resource);
    const constants = {
      eventId: eventId({ seq, tag }),
      eventName: sample.event,
      eventTime: time,
      payload: JSON.stringify(sampleEventPayload(sample, about, resource.fileVersion, time)),
      webhookId,
      resourceId: webhook.resourceId,
      deliveryId: deliveryId({ seq: deliverySeq, tag }),
    };
    const { request, variables } = signedRequest(profile, constants, 1, {
      url: webhook.url,
      secrets: webhook.secrets,
      at,
      nonce: makeNonce(randomBytes),
    });
    const mark = (one: RenderedRequest) => withHeader(one, `X-${profile.serviceName}-Sample`, "1");
    const shown = renderRequest(profile, constants, 1, { ...variables, url: webhook.shownUrl });
    const ids = { deliveryId: constants.deliveryId, eventId: constants.eventId };
    if (sample.dryRun) return { ...ids, request: mark(shown), ...TRIED };
    const answer = await sendInTurn(options, webhook, mark(request));
    const told = toldOf(outcomeInTurn(answer), scrub(answer, webhook), false);
    return { ...ids, request: mark(shown), ...told };
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

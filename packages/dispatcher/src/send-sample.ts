import {
  deliveryId,
  eventId,
  makeTag,
  MarkethookError,
  type PreviousFileVersion,
  type Product,
  product,
  type RandomBytes,
  type RenderedRequest,
  renderRequest,
  type ReportedEventName,
  type SenderProfile,
  updatePayload,
  userPayload,
} from "@markethook/protocol";
import type { SendableWebhook, Store } from "@markethook/store";
import { rounded } from "./attempt-detail.ts";
import { classify } from "./classify.ts";
import { readsLikeRefusal } from "./reads-like-refusal.ts";
import { scrub } from "./scrub.ts";
import { type InTurnOptions, sendInTurn } from "./send-in-turn.ts";
import { NOT_SENT, type SendResult } from "./send/send-result.ts";
import { sentenceFor } from "./sentences.ts";
import { signedRequest, withHeader } from "./signed-request.ts";
import type { PingResult } from "./ping.ts";

/** What came of it. It stands in no log, so nothing of the webhook is told with it. */
export type SampleResult = Omit<PingResult, "webhookNo" | "address" | "warnings" | "fault">;

export interface Sample {
  event: ReportedEventName;
  /** The buyer of a user event. */
  userId: number;
  /** Shows what would be sent, and sends nothing. */
  dryRun: boolean;
}

export interface SendSampleOptions extends InTurnOptions {
  store: Pick<Store, "log" | "webhooks" | "resources">;
  /** False: this service sends nothing there. */
  mayGo(url: string): Promise<boolean>;
  profile: SenderProfile;
  baseUrl: string;
  randomBytes: RandomBytes;
  /** Unix milliseconds. */
  wallNow: () => number;
}

const BEFORE: PreviousFileVersion = {
  version: "1.0",
  id: "sample-1.0",
  time: 0,
  size: "1048576",
  fileType: "zip",
  branch: "release",
};

/**
 * Sends an event that did not happen, about the webhook's own resource: signed and shaped as a real one, with a header
 * that says so. Exactly one request, now, whatever events are chosen and whatever the webhook's state; stored nowhere.
 *
 * @throws `not_found`, `webhook_is_chat`, `sending_held`
 */
export function createSendSample(options: SendSampleOptions) {
  const { store, profile, randomBytes, wallNow } = options;

  return async (
    webhookId: string,
    ownerId: string | null,
    sample: Sample,
  ): Promise<SampleResult> => {
    const { chat } = await store.webhooks.get(webhookId, ownerId);
    if (chat !== null) throw new MarkethookError("webhook_is_chat");
    const { seq, deliverySeq, webhookNo } = await store.log.reservePing(webhookId, ownerId);
    const [webhook] = await store.webhooks.forSending([webhookNo]);
    const resource = webhook && (await store.resources.find(webhook.resourceId));
    if (webhook === undefined || resource == null) throw new MarkethookError("not_found");
    if (!(await options.mayGo(webhook.url))) throw new MarkethookError("sending_held");

    const at = wallNow();
    const time = Math.floor(at / 1000);
    const tag = makeTag(randomBytes);
    const about = product(options.baseUrl, resource);
    const constants = {
      eventId: eventId({ seq, tag }),
      eventName: sample.event,
      eventTime: time,
      payload: JSON.stringify(payloadOf(sample, about, resource.fileVersion, time)),
      webhookId,
      resourceId: webhook.resourceId,
      deliveryId: deliveryId({ seq: deliverySeq, tag }),
    };
    const { request, variables } = signedRequest(profile, constants, 1, {
      url: webhook.url,
      secrets: webhook.secrets,
      at,
      randomBytes,
    });
    const mark = (one: RenderedRequest) => withHeader(one, `X-${profile.serviceName}-Sample`, "1");
    const shown = renderRequest(profile, constants, 1, { ...variables, url: webhook.shownUrl });
    const answer = sample.dryRun ? NOT_SENT : await sendInTurn(options, webhook, mark(request));
    return {
      deliveryId: constants.deliveryId,
      eventId: constants.eventId,
      request: mark(shown),
      ...(sample.dryRun ? TRIED : toldOf(answer, webhook)),
    };
  };
}

const TRIED = {
  outcome: "stopped",
  status: null,
  sentence: "Nothing was sent: this is what would be.",
  sent: false,
  timings: NOT_SENT.timings,
  response: null,
} as const;

function toldOf(
  answer: SendResult,
  webhook: SendableWebhook,
): Omit<SampleResult, "deliveryId" | "eventId" | "request"> {
  const outcome = answer === NOT_SENT ? "throttled" : classify(answer).outcome;
  const result = scrub(answer, webhook);
  const { status, headers, sent } = result;
  const body = result.body.toString("utf8").toWellFormed();
  const refusal = outcome === "ok" ? readsLikeRefusal(body) : null;
  return {
    outcome,
    status,
    sentence: sentenceFor(outcome, sent),
    sent,
    timings: rounded(result.timings),
    response: status === null ? null : { status, headers, body },
    ...(refusal === null ? {} : { refusal }),
  };
}

/** An update follows the version that is known of the resource. */
function payloadOf(
  { event, userId }: Sample,
  about: Product,
  known: PreviousFileVersion | null,
  time: number,
): object {
  if (event !== "product.update") return userPayload(about, userId);
  const previous = known ?? { ...BEFORE, time: time - 86_400 };
  return updatePayload(about, previous, {
    ...previous,
    version: `${previous.version}-sample`,
    id: `sample-${time}`,
    time,
    title: "A sample of an update",
    description: "Nothing was released: the resource's owner tries out the webhook.",
  });
}

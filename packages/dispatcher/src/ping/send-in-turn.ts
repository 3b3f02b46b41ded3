import {
  makeNonce,
  MarkethookError,
  product,
  type RandomBytes,
  type RenderedRequest,
  renderRequest,
  type RequestConstants,
  type SenderProfile,
} from "@markethook/protocol";
import type { SendableWebhook, Store } from "@markethook/store";
import type { Hosts } from "../gates/hosts.ts";
import type { Sender } from "../send/sender.ts";
import { rounded } from "../send/attempt-detail.ts";
import { type AttemptOutcome, judgeAnswer } from "../deliver/judge-answer.ts";
import { readsLikeRefusal } from "../deliver/reads-like-refusal.ts";
import { NOT_SENT, type SendResult } from "../send/send-result.ts";
import { scrub } from "../send/scrub.ts";
import { requestOf } from "../send/signed-request.ts";
import { pingSentenceFor } from "../deliver/outcome-sentences.ts";

/** For the requests that an owner sends by hand. */
export interface ByHandOptions {
  store: Pick<Store, "log" | "webhooks" | "resources">;
  sender: Sender;
  hosts: Pick<Hosts, "turn" | "reach" | "note">;
  /** Returns false if this service sends nothing to the URL. */
  mayGo(url: string): Promise<boolean>;
  profile: SenderProfile & { no: number };
  baseUrl: string;
  randomBytes: RandomBytes;
  wallNow: () => number;
}

/** A request would show the old owner the resource's title and newest version. */
const SOLD = "The resource has another owner now; the webhook belongs to the old one.";

/**
 * Returns the webhook, its resource, and the resource as payloads have it.
 * @throws `not_found`, `webhook_not_active` if the resource has another owner now, and `dry_run` where the request is
 * to be sent and must not
 */
export async function receiverOf(
  { store, mayGo, baseUrl }: ByHandOptions,
  webhookNo: number,
  { isSent }: { isSent: boolean },
) {
  const [webhook] = await store.webhooks.forSending([webhookNo]);
  const resource = webhook && (await store.resources.find(webhook.resourceId));
  if (webhook === undefined || resource == null) throw new MarkethookError("not_found");
  if (resource.ownerId !== webhook.ownerId)
    throw new MarkethookError("webhook_not_active", { detail: SOLD });
  if (isSent && !(await mayGo(webhook.url))) throw new MarkethookError("dry_run");
  return { webhook, resource, about: product(baseUrl, resource) };
}

/** Signs a request, and makes the form of it that may be shown. */
export function signByHand(
  { profile, randomBytes, wallNow }: ByHandOptions,
  webhook: SendableWebhook,
  constants: RequestConstants,
  { secrets = webhook.secrets, shownPayload = constants.payload } = {},
) {
  const at = wallNow();
  const signed = requestOf({
    profile,
    constants,
    attempt: 1,
    webhook: { ...webhook, secrets },
    at,
    nonce: makeNonce(randomBytes),
  });
  const shown = renderRequest(profile, { ...constants, payload: shownPayload }, 1, {
    ...signed.variables,
    url: webhook.shownUrl,
  });
  return { ...signed, shown, at };
}

/**
 * Sends one request outside of the queue, once its host may get it. `throttled` if the host may get no more now. The
 * result has the address hidden.
 */
export async function sendInTurn(
  { sender, hosts }: ByHandOptions,
  webhook: SendableWebhook,
  request: RenderedRequest,
): Promise<{ outcome: AttemptOutcome; result: SendResult }> {
  for (let last = false; ; last = true) {
    if (!(await hosts.turn(webhook))) return { outcome: "throttled", result: NOT_SENT };
    const result = await sender.send(request, () => true, {
      mayReach: hosts.reach(webhook),
      party: webhook.ownerId,
    });
    hosts.note(webhook, result);
    // Its name leads to another address now, where the request has to wait for its turn.
    if (result.category !== "address_unconfirmed" || last)
      return { outcome: judgeAnswer(result).outcome, result: scrub(result, webhook) };
  }
}

/** The part of the result that the owner sees. `result`: with the address hidden. */
export function shownOf(outcome: AttemptOutcome, result: SendResult, isChat: boolean) {
  const { status, headers, sent } = result;
  const body = result.body.toString("utf8");
  const refusal = outcome === "ok" && !isChat ? readsLikeRefusal(body) : null;
  return {
    outcome,
    status,
    sentence: pingSentenceFor(outcome, sent),
    sent,
    timings: rounded(result.timings),
    response: status === null ? null : { status, headers, body },
    ...(refusal === null ? {} : { refusal }),
    ...(result.certificate === undefined ? {} : { certificate: result.certificate }),
  };
}

import type { RenderedRequest } from "@markethook/protocol";
import type { SendableWebhook } from "@markethook/store";
import type { Hosts } from "../gates/hosts.ts";
import type { Sender } from "../send/sender.ts";
import { rounded } from "../send/attempt-detail.ts";
import { type AttemptOutcome, judgeAnswer } from "../deliver/judge-answer.ts";
import { readsLikeRefusal } from "../deliver/reads-like-refusal.ts";
import { NOT_SENT, type SendResult } from "../send/send-result.ts";
import { pingSentenceFor } from "../deliver/sentences.ts";

export interface InTurnOptions {
  sender: Sender;
  hosts: Pick<Hosts, "turn" | "reach" | "note">;
}

/** Sends one request outside of the queue, once its host may get it. `NOT_SENT` if the host may get no more now. */
export async function sendInTurn(
  { sender, hosts }: InTurnOptions,
  webhook: SendableWebhook,
  request: RenderedRequest,
): Promise<SendResult> {
  for (let last = false; ; last = true) {
    if (!(await hosts.turn(webhook))) return NOT_SENT;
    const result = await sender.send(request, () => true, {
      mayReach: hosts.reach(webhook),
      party: webhook.ownerId,
    });
    hosts.note(webhook, result);
    // Its name leads to another address now, where the request has to wait for its turn.
    if (result.category !== "address_unconfirmed" || last) return result;
  }
}

export function outcomeInTurn(result: SendResult): AttemptOutcome {
  return result === NOT_SENT ? "throttled" : judgeAnswer(result).outcome;
}

/** The part of the result that the owner sees. `result`: with the address hidden. */
export function toldOf(outcome: AttemptOutcome, result: SendResult, isChat: boolean) {
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

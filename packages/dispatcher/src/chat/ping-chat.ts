import { plainRequest, type RenderedRequest } from "@markethook/protocol";
import type { ChatDisabledReason, SendableWebhook } from "@markethook/store";
import { type AttemptOutcome, judgeAnswer } from "../deliver/judge-answer.ts";
import { NOT_SENT, type SendResult } from "../send/send-result.ts";
import type { ChatPace } from "./chat-pace.ts";
import { disablingOf, outcomeOf } from "./judge-chat.ts";
import type { SendChat, Subject } from "./send-chat.ts";

/** One request that was made, or would have been, and its result. */
export interface PingExchange {
  /** The request in the form that may be shown. */
  request: RenderedRequest;
  result: SendResult;
  outcome: AttemptOutcome;
  /** JSON text of `AttemptDetail`. */
  detail: string;
}

export type PingChat = (webhook: SendableWebhook, subject: Subject) => Promise<PingExchange>;

/** Sends a ping to the chat if its turn comes soon; otherwise nothing. */
export function createPingChat(options: {
  chat: SendChat;
  pace: Pick<ChatPace, "turn" | "leave">;
  /** Disables an address that is of no use any more. */
  disable(target: string, reason: ChatDisabledReason): Promise<void>;
  /** How long a ping waits: a person is waiting for it. */
  patienceMs: number;
  wallNow: () => number;
}): PingChat {
  const { chat, pace } = options;
  return async (webhook, subject) => {
    const prepared = await chat.prepare(webhook, subject);
    const { shownUrl } = prepared;
    const { method, headers, body } = prepared.request;
    const request = plainRequest({ method, url: shownUrl, headers, body });
    const at = options.wallNow();
    if (!(await pace.turn(webhook, options.patienceMs))) {
      const result = NOT_SENT;
      return { request, result, outcome: "throttled", detail: chat.detail(prepared, at, result) };
    }
    try {
      const { result, answer } = await chat.send(prepared, { mayWrite: () => true });
      const disabling = answer === null ? null : disablingOf(answer);
      if (disabling !== null) await options.disable(webhook.chat?.target ?? "", disabling);
      const outcome = answer === null ? judgeAnswer(result).outcome : outcomeOf(answer);
      return { request, result, outcome, detail: chat.detail(prepared, at, result) };
    } finally {
      pace.leave(webhook, true);
    }
  };
}

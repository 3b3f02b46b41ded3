import {
  type ChatAnswer,
  type ChatMessage,
  type ChatRequest,
  type EventFacts,
} from "@markethook/chat";
import { plainRequest } from "@markethook/protocol";
import type {
  ChatAttempt,
  ChatContext,
  QueuedDelivery,
  SendableWebhook,
  Store,
} from "@markethook/store";
import { chatAttemptDetail } from "../send/attempt-detail.ts";
import type { RequestOwner } from "../send/exchange.ts";
import type { Sender } from "../send/sender.ts";
import type { SendResult } from "../send/send-result.ts";
import type { ChatPace } from "./chat-pace.ts";
import type { ChatRoute, ChatRoutes } from "./chat-route.ts";
import { scrub } from "../send/scrub.ts";

export interface SendChatOptions {
  chat: Store["chat"];
  sender: Sender;
  routes: ChatRoutes;
  pace: Pick<ChatPace, "answered">;
  profileNo: number;
  serviceName: string;
  service: { url: string; version: string };
  fault(where: string, error: unknown): void;
}

/** A prepared request, not sent yet. */
export interface PreparedChat {
  webhook: SendableWebhook;
  route: ChatRoute;
  request: ChatRequest;
  shownUrl: string;
  attempt: ChatAttempt;
}

/** No message can be made for this webhook, whatever the event. */
export class UnusableChat extends Error {
  constructor(webhookId: string) {
    super(`webhook ${webhookId} has no chat address, format or options that this version can use`);
    this.name = "UnusableChat";
  }
}

export type SendChat = ReturnType<typeof createSendChat>;

export type Subject = Pick<QueuedDelivery, "eventSeq" | "eventName" | "eventTime" | "payload"> & {
  userId: number | null;
};

/**
 * Stored event -> message -> request -> answer, which the pace learns from. The request has passed the gate already;
 * nothing here waits for it.
 */
export function createSendChat(options: SendChatOptions) {
  const { routes, sender } = options;

  async function contextOf(route: ChatRoute, webhook: SendableWebhook, subject: Subject) {
    const { userId, eventName, eventSeq } = subject;
    const wantsSale =
      eventName === "product.user.purchaseRemoved" && route.options.refunds === "edit";
    const saleOf = wantsSale && userId !== null ? { webhookNo: webhook.no, userId } : null;
    return await options.chat.context({ eventSeq, saleOf });
  }

  function messageOf(route: ChatRoute, subject: Subject, { details, sale }: ChatContext) {
    const { format } = route;
    const { serviceName } = options;
    const facts: EventFacts = {
      name: subject.eventName,
      time: subject.eventTime,
      payload: subject.payload,
      details,
      serviceName,
    };
    if (sale === null || format.editedSale === null) {
      return { message: format.message(facts, route.options), edits: null };
    }
    const { messageId, ...of } = sale;
    const sold = {
      messageId,
      facts: { ...of, name: "product.user.purchase", serviceName },
    } as const;
    return { message: format.editedSale(sold, facts, route.options), edits: messageId };
  }

  function noteFault(route: ChatRoute, webhook: SendableWebhook, message: ChatMessage): void {
    if (message.fault === null || route.chat.fault !== null) return;
    options.chat
      .noteFault(webhook.no, route.chat.options, message.fault.sentence)
      .catch((error: unknown) => options.fault("note a template's fault", error));
  }

  return {
    async prepare(webhook: SendableWebhook, subject: Subject): Promise<PreparedChat> {
      const route = routes(webhook);
      if (route === null) throw new UnusableChat(webhook.id);
      const context = await contextOf(route, webhook, subject);
      const { message, edits } = messageOf(route, subject, context);
      noteFault(route, webhook, message);
      const how = {
        threadId: route.options.threadId ?? route.target.threadId,
        editMessageId: edits,
        userAgent: route.format.userAgent(options.service),
      };
      const { origin, target } = route;
      const request = route.format.request(target, message, { ...how, origin });
      // Owners should not see a proxy of the operator.
      const { shownUrl } = route.format.request(target, message, { ...how, origin: null });
      const { method, headers, body } = request;
      const attempt: ChatAttempt = { method, headers, body };
      if (edits !== null) attempt.editOf = edits;
      if (message.warnings.length > 0) attempt.warnings = message.warnings;
      if (message.fault !== null) attempt.fault = message.fault.sentence;
      return { webhook, route, request, shownUrl, attempt };
    },

    /** `result`: without the address's secret. `answer` null: no usable one came. */
    async send(
      prepared: PreparedChat,
      { mayWrite, ...right }: Pick<RequestOwner, "mayWrite" | "instanceNo">,
    ) {
      const { webhook, route, request, attempt } = prepared;
      const result = scrub(await sender.send(plainRequest(request), mayWrite, right), webhook);
      const answer = readAnswer(route, result);
      if (answer !== null) {
        options.pace.answered(webhook, answer);
        if (answer.outcome === "message_gone") {
          // A message of its own cannot be sent in its place again: that would have no end.
          if (attempt.editOf === undefined) answer.outcome = "failed";
          else await options.chat.forgetMessage(webhook.no, attempt.editOf);
        }
      }
      return { result, answer };
    },

    /** Makes the stored detail of the attempt. `at`: Unix milliseconds. */
    detail({ shownUrl, attempt }: PreparedChat, at: number, result: SendResult): string {
      return chatAttemptDetail(at, options.profileNo, shownUrl, attempt, result);
    },
  };
}

function readAnswer(route: ChatRoute, result: SendResult): ChatAnswer | null {
  const { category, status, headers, body } = result;
  if (category !== null || status === null) return null;
  return route.format.readAnswer({ status, headers, body: body.toString("utf8") });
}

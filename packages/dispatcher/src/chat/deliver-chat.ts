import type { QueuedDelivery, SendableWebhook } from "@markethook/store";
import type { RequestOwner } from "../send/exchange.ts";
import type { SendResult } from "../send/send-result.ts";
import type { Judged, SettlementRules } from "../deliver/settlement.ts";
import { judgeChat } from "./judge-chat.ts";
import type { SendChat } from "./send-chat.ts";

type Right = Pick<RequestOwner, "mayWrite" | "instanceNo">;

/** The returned function makes a delivery's message, and returns another one that sends and judges it. */
export function createDeliverChat(chat: SendChat, rules: SettlementRules) {
  return async (
    delivery: QueuedDelivery,
    webhook: SendableWebhook,
  ): Promise<(right: Right) => Promise<{ result: SendResult; judged: Judged }>> => {
    const { orderKey } = delivery;
    // The order key of a buyer's events is the buyer; updates have a negative key.
    const userId = orderKey !== null && orderKey >= 0 ? orderKey : null;
    const prepared = await chat.prepare(webhook, { ...delivery, userId });
    return async (right) => {
      const at = rules.wallNow();
      const { result, answer } = await chat.send(prepared, right);
      const attempt = {
        number: delivery.attempts + 1,
        outcome: "",
        status: result.status,
        detail: chat.detail(prepared, at, result),
      };
      const judged = judgeChat(delivery, webhook, result, answer, attempt, rules);
      const messageId = answer?.outcome === "delivered" ? answer.messageId : null;
      if (delivery.eventName === "product.user.purchase" && userId !== null && messageId !== null)
        judged.settlement.chatMessage = { userId, messageId };
      return { result, judged };
    };
  };
}

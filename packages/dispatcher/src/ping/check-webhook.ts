import { MarkethookError, pingPayload, product } from "@markethook/protocol";
import type { PingResult } from "./ping.ts";
import { scrub } from "../send/scrub.ts";
import { judgeAnswer } from "../deliver/judge-answer.ts";
import type { SendResult } from "../send/send-result.ts";
import { sentenceFor } from "../deliver/outcome-sentences.ts";
import { type Checkup, runCheckup } from "./run-checkup.ts";
import type { ByHandOptions } from "./send-in-turn.ts";
import { type CheckupReply, PING_FAILED } from "./verdict.ts";

export interface WebhookCheckup extends Checkup {
  /** The genuine ping, as it ended. */
  ping: PingResult;
}

export interface CheckWebhookOptions extends ByHandOptions {
  ping(webhookId: string, ownerId: string | null, secret: "current"): Promise<PingResult>;
  now: () => number;
}

/**
 * Checks whether a webhook's receiver refuses forgeries. It sends a ping first, which is in the log like every ping,
 * then the probes, which are not stored. They go only to the address that has just accepted the ping.
 *
 * @throws `webhook_is_chat`, and the errors of a ping.
 */
export function createCheckWebhook(options: CheckWebhookOptions) {
  const { store, sender, randomBytes, now, wallNow } = options;

  return async (
    webhookId: string,
    ownerId: string | null,
    isStopping: () => boolean = () => false,
  ): Promise<WebhookCheckup> => {
    const { chat } = await store.webhooks.get(webhookId, ownerId);
    if (chat !== null) throw new MarkethookError("webhook_is_chat");
    const ping = await options.ping(webhookId, ownerId, "current");
    const [webhook] = await store.webhooks.forSending([ping.webhookNo]);
    const resource = webhook && (await store.resources.find(webhook.resourceId));
    if (ping.outcome !== "ok" || webhook === undefined || resource == null) {
      return { ...PING_FAILED, probes: [], ping };
    }
    const about = product(options.baseUrl, resource);
    const { time } = JSON.parse(ping.request.body) as { time: number }; // Written a moment ago.
    const checkup = await runCheckup({
      subject: {
        profile: options.profile,
        webhook,
        constants: {
          eventId: ping.eventId,
          eventName: "ping",
          eventTime: time,
          payload: JSON.stringify(pingPayload(about, webhook.url)),
          webhookId,
          resourceId: webhook.resourceId,
          deliveryId: ping.deliveryId,
        },
        randomBytes,
        wallNow,
      },
      ping: {
        status: ping.status,
        body: ping.response?.body ?? "",
        failure: null,
        ms: ping.timings.totalMs,
      },
      now,
      isStopping,
      async send(request) {
        if (!(await options.hosts.turn(webhook))) return TURNED_AWAY;
        const result = await sender.send(request, () => true, {
          mayReach: (address) => address === ping.address,
          party: webhook.ownerId,
        });
        options.hosts.note(webhook, result);
        return replyOf(scrub(result, webhook));
      },
    });
    return { ...checkup, ping };
  };
}

const TURNED_AWAY: CheckupReply = {
  status: null,
  body: "",
  failure: sentenceFor("throttled", false),
  ms: 0,
};

function replyOf(result: SendResult): CheckupReply {
  const { category, status, body, timings, sent } = result;
  return {
    status: category === null ? status : null,
    body: body.toString("utf8"),
    failure: category === null ? null : sentenceFor(judgeAnswer(result).outcome, sent),
    ms: Math.round(timings.totalMs),
  };
}

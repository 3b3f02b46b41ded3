import type { Webhook } from "@markethook/client";
import type { Output } from "../output/output.ts";
import { facts, treeText } from "../output/tree.ts";
import { visible } from "../output/visible-text.ts";
import { eventsOf, fieldFacts } from "./field-options.ts";

export const WEBHOOK_HEAD = [
  "id",
  "resource",
  "state",
  "format",
  "url",
  "events",
  "last success",
] as const;

export function webhookRow(webhook: Webhook): string[] {
  const { id, resourceId, format, url, lastSuccessAt } = webhook;
  const success = lastSuccessAt ?? "never";
  return [id, resourceId, stateOf(webhook), format, url, eventsOf(webhook), success];
}

export function webhookText(webhook: Webhook, out: Output): string {
  const { id, url, format, resourceId, ownerId, chat, chatFault, rotation, held } = webhook;
  const state = out.style(webhook.state === "active" ? "green" : "red", stateOf(webhook));
  const until = rotation?.until == null ? "until it is switched" : `until ${rotation.until}`;
  const isUnsigned = chat === null && !webhook.standardSignature;
  const { includeDetails, ...fields } = fieldFacts(webhook);
  const branches = facts(13, {
    url: visible(url),
    format: visible(format),
    resource: `${visible(resourceId)}, of owner ${visible(ownerId)}`,
    ...fields,
    details: includeDetails,
    ...(chat === null ? {} : chatFacts(chat)),
    fault: chatFault === null ? null : visible(chatFault),
    rotation: rotation === null ? null : `both secrets sign ${until}`,
    held: held === undefined ? null : `${held.count}${held.capped ? " or more" : ""}`,
    dropping: webhook.dropping ? "held deliveries are being cancelled" : null,
    signatures: isUnsigned ? "no webhook-signature: the imported secret is not base64" : null,
    failing: webhook.failingSince === null ? null : `since ${webhook.failingSince}`,
    success: webhook.lastSuccessAt ?? "none yet",
    failure: webhook.lastFailureAt ?? "none yet",
    created: `${webhook.createdAt}, changed ${webhook.updatedAt}`,
  });
  return treeText({ text: `${out.style("bold", visible(id))}  ${state}`, branches });
}

function chatFacts({ messages, refunds, threadId }: NonNullable<Webhook["chat"]>) {
  const own = Object.keys(messages);
  const taken = refunds === "edit" ? "change the sale's message" : "have a message of their own";
  return {
    messages: own.length === 0 ? "as by default" : `own for ${own.join(" ")}`,
    refunds: taken,
    thread: threadId,
  };
}

function stateOf({ state, disabledReason, failingSince }: Webhook): string {
  if (disabledReason !== null) return `${state} (${disabledReason})`;
  return failingSince === null || state !== "active" ? state : `${state}, failing`;
}

import type { Webhook } from "@markethook/client";
import { WEBHOOK_TEXTS } from "@markethook/protocol";
import type { Output } from "../output/output.ts";
import { type Branch, treeText } from "../output/tree.ts";
import { visible } from "../output/visible-text.ts";

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
  const { id, resourceId, format, url, events, lastSuccessAt } = webhook;
  const success = lastSuccessAt ?? "never";
  return [id, resourceId, stateOf(webhook), format, url, eventsOf(events), success];
}

export function webhookText(webhook: Webhook, out: Output): string {
  const { id, url, format, resourceId, ownerId, events, rotation } = webhook;
  const state = out.style(webhook.state === "active" ? "green" : "red", stateOf(webhook));
  const branches: Branch[] = [
    { text: `url          ${visible(url)}` },
    { text: `format       ${visible(format)}` },
    { text: `resource     ${visible(resourceId)}, of owner ${visible(ownerId)}` },
    { text: `events       ${visible(eventsOf(events))}` },
  ];
  for (const name of WEBHOOK_TEXTS) {
    if (webhook[name] === "") continue;
    branches.push({ text: `${name.padEnd(13)}${visible(webhook[name])}` });
  }
  if (webhook.chat !== null) branches.push(...chatBranches(webhook.chat));
  if (webhook.chatFault !== null) {
    branches.push({ text: `fault        ${visible(webhook.chatFault)}` });
  }
  if (rotation !== null) {
    const until = rotation.until === null ? "until it is switched" : `until ${rotation.until}`;
    branches.push({ text: `rotation     both secrets sign ${until}` });
  }
  if (webhook.dropping) branches.push({ text: "dropping     held deliveries are being cancelled" });
  if (webhook.chat === null && !webhook.standardSignature) {
    branches.push({ text: "signatures   no webhook-signature: the imported secret is not base64" });
  }
  if (webhook.failingSince !== null) {
    branches.push({ text: `failing      since ${webhook.failingSince}` });
  }
  branches.push(
    { text: `success      ${webhook.lastSuccessAt ?? "none yet"}` },
    { text: `failure      ${webhook.lastFailureAt ?? "none yet"}` },
    { text: `created      ${webhook.createdAt}, changed ${webhook.updatedAt}` },
  );
  return treeText({ text: `${out.style("bold", visible(id))}  ${state}`, branches });
}

function chatBranches({ messages, refunds, threadId }: NonNullable<Webhook["chat"]>): Branch[] {
  const own = Object.keys(messages);
  const taken = refunds === "edit" ? "change the sale's message" : "have a message of their own";
  return [
    { text: `messages     ${own.length === 0 ? "as by default" : `own for ${own.join(" ")}`}` },
    { text: `refunds      ${taken}` },
    ...(threadId === null ? [] : [{ text: `thread       ${threadId}` }]),
  ];
}

function stateOf({ state, disabledReason, failingSince }: Webhook): string {
  if (disabledReason !== null) return `${state} (${disabledReason})`;
  return failingSince === null || state !== "active" ? state : `${state}, failing`;
}

function eventsOf(events: readonly string[] | null): string {
  return events === null ? "all" : events.join(" ");
}

import type { Webhook } from "@markethook/client";
import type { Output } from "../output.ts";
import { type Branch, treeText } from "../tree.ts";
import { visible } from "../visible-text.ts";

export const WEBHOOK_HEAD = ["id", "resource", "state", "url", "events", "last success"] as const;

export function webhookRow(webhook: Webhook): string[] {
  const { id, resourceId, url, events, lastSuccessAt } = webhook;
  return [id, resourceId, stateOf(webhook), url, eventsOf(events), lastSuccessAt ?? "never"];
}

export function webhookText(webhook: Webhook, out: Output): string {
  const { id, url, resourceId, ownerId, events, description, rotation } = webhook;
  const state = out.style(webhook.state === "active" ? "green" : "red", stateOf(webhook));
  const branches: Branch[] = [
    { text: `url          ${visible(url)}` },
    { text: `resource     ${visible(resourceId)}, of owner ${visible(ownerId)}` },
    { text: `events       ${visible(eventsOf(events))}` },
  ];
  if (description !== "") branches.push({ text: `description  ${visible(description)}` });
  if (rotation !== null) {
    const until = rotation.until === null ? "until it is switched" : `until ${rotation.until}`;
    branches.push({ text: `rotation     both secrets sign ${until}` });
  }
  if (webhook.dropping) branches.push({ text: "dropping     held deliveries are being cancelled" });
  if (!webhook.standardSignature) {
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

function stateOf({ state, disabledReason, failingSince }: Webhook): string {
  if (disabledReason !== null) return `${state} (${disabledReason})`;
  return failingSince === null || state !== "active" ? state : `${state}, failing`;
}

function eventsOf(events: readonly string[] | null): string {
  return events === null ? "all" : events.join(" ");
}

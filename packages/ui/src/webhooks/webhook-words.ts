import type { Resource, UrlCheck, Webhook } from "@markethook/client";
import type { ReactNode } from "react";
import { chatWords } from "../chat/platforms.ts";
import type { Tone } from "../shared/inline-text.tsx";
import { words } from "../words/first-words.ts";
import { fromService } from "../words/rich.ts";

export type UrlRemark = UrlCheck["remarks"][number];

export function webhookState(webhook: Webhook): { word: string; tone: Tone } {
  const { states } = words.webhooks;
  if (webhook.state === "paused") return { word: states.paused, tone: "quiet" };
  if (webhook.state === "disabled") return { word: states.disabled, tone: "bad" };
  if (webhook.failingSince !== null) return { word: states.failing, tone: "bad" };
  return { word: states.active, tone: "good" };
}

export function disabledWords({ format, disabledReason }: Webhook): string {
  const reasons: Readonly<Record<string, string>> = {
    ...words.webhooks.disabled,
    ...chatWords(format)?.disabled,
  };
  return reasons[disabledReason ?? ""] ?? words.webhooks.staysDisabled;
}

/** The webhook's description, or its address if it has none. */
export function webhookTitle({ url, description }: { url: string; description: string }): string {
  return description === "" ? url : description;
}

/** Titles by id. Of a resource's webhooks that have the same one, each ends with the end of its id. */
export function webhookTitles(webhooks: readonly Webhook[]): ReadonlyMap<string, string> {
  const shown = (webhook: Webhook) => `${webhook.resourceId} ${webhookTitle(webhook)}`;
  const alike = Map.groupBy(webhooks, shown);
  return new Map(
    webhooks.map((webhook) => {
      const isAlone = alike.get(shown(webhook))?.length === 1;
      const title = webhookTitle(webhook);
      return [webhook.id, isAlone ? title : `${title} (${webhook.id.slice(-4)})`];
    }),
  );
}

/** The same for a list of all resources' webhooks: a title that several resources have begins with the resource's. */
export function webhookTitlesAmongAll(
  webhooks: readonly Webhook[],
  resources: readonly Pick<Resource, "id" | "title">[],
): ReadonlyMap<string, string> {
  const alone = webhookTitles(webhooks);
  const names = new Map(resources.map(({ id, title }) => [id, title]));
  const byTitle = Map.groupBy(webhooks, webhookTitle);
  return new Map(
    webhooks.map((webhook) => {
      const { id, resourceId } = webhook;
      const title = alone.get(id) ?? "";
      const isShared = byTitle
        .get(webhookTitle(webhook))
        ?.some((other) => other.resourceId !== resourceId);
      if (isShared !== true) return [id, title];
      // Isolated, so that a name from right to left does not turn the address.
      return [id, `\u2068${names.get(resourceId) ?? resourceId}\u2069 · ${title}`];
    }),
  );
}

export function formatWord(format: string): string {
  return format === "json" ? "JSON" : (chatWords(format)?.chat ?? format);
}

/** Remarks for an owner about a URL. */
export function remarkWords({ code, sentence }: UrlRemark): ReactNode {
  return words.webhooks.remarks[code] ?? fromService(sentence);
}

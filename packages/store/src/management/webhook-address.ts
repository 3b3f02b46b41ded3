import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import type { WebhookFormat } from "../port/webhooks.ts";
import type { Seal } from "../seal.ts";
import type { Tables } from "../tables.ts";

type Row = Selectable<Tables["webhooks"]>;

/** Where a webhook's requests go and how it speaks. A chat's `url` is a secret. */
export interface WebhookAddress {
  url: string;
  format: WebhookFormat;
  shownUrl?: string | undefined;
  chat?: string | undefined;
}

/** The columns of an address, for the webhook of this id: a sealed text opens in its own row only. */
export function addressColumns(
  { url, format, shownUrl, chat }: WebhookAddress,
  id: string,
  seal: Seal,
) {
  if (format === "json") {
    return {
      url,
      format,
      shown_url: null,
      chat_options: null,
      chat_target: null,
      chat_fault: null,
    };
  }
  if (shownUrl === undefined || chat === undefined) {
    throw new RangeError("a chat's webhook needs an address to show and options");
  }
  return {
    url: seal.seal(url, id),
    format,
    shown_url: shownUrl,
    chat_options: chat,
    chat_target: chatTarget(url),
    chat_fault: null,
  };
}

/** As it was given. */
export function addressOf(
  row: Pick<Row, "id" | "url" | "format" | "shown_url" | "chat_options">,
  seal: Seal,
): WebhookAddress {
  const format = formatOf(row);
  if (format === "json") return { url: row.url, format };
  return {
    url: seal.open(row.url, row.id),
    format,
    shownUrl: shownUrlOf(row),
    chat: row.chat_options ?? "",
  };
}

export function formatOf(row: Pick<Row, "format">): WebhookFormat {
  return row.format as WebhookFormat; // Only these words are ever written.
}

export function shownUrlOf(row: Pick<Row, "url" | "shown_url">): string {
  return row.shown_url ?? row.url;
}

/** An address's token has far too many possible values to be found from this. */
function chatTarget(url: string): string {
  return createHash("sha256").update(url).digest("hex");
}

import { createHash } from "node:crypto";
import { shownUrl as shownOf } from "@markethook/protocol";
import type { Selectable } from "kysely";
import type { Encryption } from "../../encryption.ts";
import type { WebhookInput } from "../../port/webhooks.ts";
import type { Tables } from "../../tables.ts";

type Row = Selectable<Tables["webhooks"]>;

/** The address of a webhook and its format. The `url` is a secret. */
export type WebhookAddress = Pick<WebhookInput, "url" | "format" | "shownUrl" | "chat">;

/**
 * Makes the columns of an address for the webhook of this id, because an encrypted text can only be decrypted in its
 * own row. `before`: of the same row. An equal URL keeps its encrypted text, so a changed text means a changed URL.
 */
export function addressColumns(
  { url, format, shownUrl, chat }: WebhookAddress,
  id: string,
  encryption: Encryption,
  before: Pick<Row, "url"> | null = null,
) {
  const isChat = format !== "json";
  if (isChat && (shownUrl === undefined || chat === undefined)) {
    throw new RangeError("a chat's webhook needs an address to show and options");
  }
  const keeps = before !== null && encryption.tryDecrypt(before.url, id) === url;
  return {
    url: keeps ? before.url : encryption.encrypt(url, id),
    format,
    host: hostOf(url),
    shown_url: shownUrl ?? shownOf(url),
    chat_options: isChat ? (chat ?? null) : null,
    chat_target: isChat ? chatTarget(url) : null,
    chat_fault: null,
  };
}

/**
 * Made from the encrypted text, which contains a random number, so it says nothing about the URL. A new master key
 * changes it too.
 */
export function urlVersion({ url }: Pick<Row, "url">): string {
  return createHash("sha256").update(url).digest("base64url").slice(0, 16);
}

/** As it was given. */
export function addressOf(
  row: Pick<Row, "id" | "url" | "format" | "shown_url" | "chat_options">,
  encryption: Encryption,
): WebhookAddress {
  const { format } = row;
  const url = encryption.decrypt(row.url, row.id);
  if (format === "json") return { url, format };
  return { url, format, shownUrl: row.shown_url, chat: row.chat_options ?? "" };
}

/** The token of an address has far too many possible values to be found from this hash. */
function chatTarget(url: string): string {
  return createHash("sha256").update(url).digest("hex");
}

/** For people. Where the shown URL is damaged, the column beside it has name and port too. */
export function shownHost({ shown_url: url, host }: Pick<Row, "shown_url" | "host">): string {
  return URL.parse(url)?.host ?? host;
}

/** Returns name and port of a URL that was checked before it was stored. */
export function hostOf(url: string): string {
  const rest = url.slice(url.indexOf("//") + 2);
  const end = rest.search(/[/?#]/);
  return (end === -1 ? rest : rest.slice(0, end)).toLowerCase();
}

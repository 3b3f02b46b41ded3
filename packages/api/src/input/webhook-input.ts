import {
  chatFormat,
  type ChatOptions,
  checkChatOptions,
  DEFAULT_CHAT_OPTIONS,
  readChatOptions,
} from "@markethook/chat";
import {
  isShownOnly,
  makeSecret,
  MarkethookError,
  type ReportedEventName,
} from "@markethook/protocol";
import type { Webhook } from "@markethook/store";
import type { FastifyRequest } from "fastify";
import { actorOf } from "../auth/actor.ts";
import type { AppDeps } from "../app-deps.ts";
import { chatOf, type KnownChat } from "../views/receiver-format.ts";
import { remarksOnUrl, type UrlRemark, urlRemark } from "./url-remarks.ts";

/** The address of a webhook, in the form of the store. */
export interface Address {
  url: string;
  format: string;
  shownUrl?: string;
  /** JSON text of its options. */
  chat?: string;
}

/**
 * Returns the chat (null: the owner's own server) and remarks for the owner.
 * @throws `url_invalid`, `chat_unsupported`, `target_blocked`
 */
export async function judgeUrl(deps: AppDeps, url: string) {
  const chat = chatOf(url);
  if (chat === null) return { chat, remarks: await judgeTarget(deps, url) };
  if ("fault" in chat) {
    throw new MarkethookError(chat.code, { detail: chat.fault, pointer: "/url" });
  }
  return { chat, remarks: await judgeTarget(deps, chat.target.url) };
}

/** Whether requests may go to this host. @throws `url_invalid`, `target_blocked` */
async function judgeTarget(deps: AppDeps, url: string): Promise<UrlRemark[]> {
  const check = await deps.checkTarget(url);
  if (check.ok) return remarksOnUrl(url);
  throw new MarkethookError(check.code, { detail: check.sentence, pointer: "/url" });
}

/** Returns a remark if another webhook of the same resource and owner has the same address. */
export async function remarkOnTwins(
  { webhooks }: Pick<AppDeps["store"], "webhooks">,
  { id, resourceId, ownerId }: Webhook,
): Promise<UrlRemark[]> {
  const url = await webhooks.revealUrl(id, null);
  return await remarkOnSameUrl(webhooks, { ownerId, resourceId, url, exceptId: id });
}

/** The same for a URL that no webhook has yet. */
export async function remarkOnSameUrl(
  webhooks: AppDeps["store"]["webhooks"],
  of: Parameters<typeof webhooks.hasUrl>[0],
): Promise<UrlRemark[]> {
  return (await webhooks.hasUrl(of)) ? [urlRemark("same_address")] : [];
}

export const SHOWN_ONLY = "This is the shortened form of a URL. Enter the whole URL.";

/** The events of a webhook that names none. */
export function defaultEvents(chat: KnownChat | null): ReportedEventName[] | null {
  return chat === null ? null : [...chat.format.defaultEvents];
}

/** Of a new webhook. @throws `url_invalid`, and at `/chat` `field_invalid`, `field_unknown` */
export function addressOf(url: string, chat: KnownChat | null, options: unknown): Address {
  if (chat === null) {
    if (options !== undefined) throw notAChat();
    if (isShownOnly(url))
      throw new MarkethookError("url_invalid", { detail: SHOWN_ONLY, pointer: "/url" });
    return { url, format: "json" };
  }
  return chatAddress(chat, readOptions(chat.format.name, options, chat.target.threadId));
}

/**
 * Applies a change of URL and options to a webhook. Another address of the same platform keeps the messages. A thread
 * belongs to its chat, so it stays only with the same address.
 *
 * @throws at `/chat` `field_invalid`, `field_unknown`
 */
export function changedAddress(
  webhook: Webhook,
  url: string | undefined,
  chat: KnownChat | null,
  options: unknown,
): Partial<Address> {
  if (url === undefined) {
    if (options === undefined) return {};
    if (webhook.format === "json") throw notAChat();
    return { chat: JSON.stringify(readOptions(webhook.format, options, null)) };
  }
  const before = optionsOf(webhook);
  if (chat === null || before === null || webhook.format !== chat.format.name) {
    return addressOf(url, chat, options);
  }
  const { threadId, shownUrl } = chat.target;
  const thread = threadId ?? (shownUrl === webhook.url ? before.threadId : null);
  const read =
    options === undefined
      ? { ...before, threadId: thread }
      : readOptions(chat.format.name, options, thread);
  return chatAddress(chat, read);
}

/** Null: not a chat. Damaged options are shown as those of a new chat, which replace them when they are saved. */
export function optionsOf({ chat }: Pick<Webhook, "chat">): ChatOptions | null {
  return chat === null ? null : (readChatOptions(chat) ?? DEFAULT_CHAT_OPTIONS);
}

/**
 * `thread`: used if the options name none, because the address did.
 *
 * @throws `field_invalid` at `/chat`, `field_unknown` for an option that the platform does not have
 */
function readOptions(format: string, options: unknown, thread: string | null): ChatOptions {
  if (options === undefined) return { ...DEFAULT_CHAT_OPTIONS, threadId: thread };
  const given = { ...DEFAULT_CHAT_OPTIONS, threadId: thread, ...(options as object) };
  const checked = checkChatOptions(chatFormat(format), given);
  if ("options" in checked) return checked.options;
  const [fault] = checked.faults;
  throw new MarkethookError(fault?.unknown === true ? "field_unknown" : "field_invalid", {
    detail: fault?.sentence ?? "These options cannot be used.",
    pointer: `/chat${fault?.pointer ?? ""}`,
  });
}

function chatAddress({ format, target }: KnownChat, options: ChatOptions): Address {
  const { url, shownUrl } = target;
  return { url, shownUrl, format: format.name, chat: JSON.stringify(options) };
}

function notAChat(): MarkethookError {
  return new MarkethookError("field_invalid", {
    detail: "Only a webhook with a chat platform's URL has messages.",
    pointer: "/chat",
  });
}

/** A chat gets no signed requests. @throws `webhook_is_chat` */
export function requireSigned({ format }: Pick<Webhook, "format">): void {
  if (format !== "json") throw new MarkethookError("webhook_is_chat");
}

/**
 * Returns the secret to store: a new one, or the one that the marketplace imports. An owner may not choose one, because
 * a guessable secret would let anybody forge the marketplace's requests.
 */
export function chooseSecret(
  deps: AppDeps,
  request: FastifyRequest,
  imported: string | undefined,
): string {
  if (imported === undefined) return makeSecret(deps.randomBytes);
  if (actorOf(request).kind !== "key") {
    throw new MarkethookError("scope_missing", {
      detail: "Only the marketplace's own key imports secrets.",
      pointer: "/secret",
    });
  }
  return imported;
}

import {
  type ChatFormat,
  chatFormatOf,
  type ChatFormatName,
  type ChatTarget,
} from "@markethook/chat";
import { shownUrl as shownOf } from "@markethook/protocol";

/** Platforms whose addresses are known, but whose messages are not made: what is sent there is signed JSON. */
const UNSUPPORTED: readonly { format: string; name: string; host: RegExp; path: RegExp }[] = [
  {
    format: "slack",
    name: "Slack",
    host: /^hooks\.slack\.com$/,
    path: /^\/(services|workflows)\/./,
  },
  { format: "teams", name: "Microsoft Teams", host: /\.webhook\.office\.com$/, path: /./ },
];

/** A chat that this address belongs to, and its address as it is stored. */
export interface KnownChat {
  format: ChatFormat;
  target: ChatTarget;
}

/** `fault`: a sentence for the owner. Null: not an address of a chat that messages are made for. */
export function chatOf(url: string): KnownChat | { fault: string; name: ChatFormatName } | null {
  const found = chatFormatOf(url.trim());
  if (found === null) return null;
  const { format, recognised } = found;
  return "fault" in recognised
    ? { fault: recognised.fault, name: format.name }
    : { format, target: recognised.target };
}

/** `json`, or the chat platform whose address it is. */
export function formatOf(url: string): string {
  const chat = chatOf(url);
  if (chat !== null) return "fault" in chat ? chat.name : chat.format.name;
  return unsupportedOf(url)?.format ?? "json";
}

/** What an owner should know who enters the address of a chat platform that no messages are made for. */
export function formatRemarks(url: string): string[] {
  const chat = unsupportedOf(url);
  if (chat === undefined) return [];
  return [
    `This is an address of ${chat.name}, which refuses signed JSON requests; it needs a program of your own in between.`,
  ];
}

/** What a page may show of a URL that is not saved yet. */
export function shownUrl(url: string): string {
  const chat = chatOf(url);
  return chat !== null && "target" in chat ? chat.target.shownUrl : shownOf(url);
}

function unsupportedOf(url: string) {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  return UNSUPPORTED.find(({ host, path }) => host.test(hostname) && path.test(pathname));
}

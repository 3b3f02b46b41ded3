import { randomBytes } from "node:crypto";
import { readMarkdown } from "./discord-markdown.ts";

interface ShownEmbed {
  title?: string;
  url?: string;
  description?: string;
  color?: number;
  fields?: { name: string; value: string; inline?: boolean }[];
  footer?: { text: string };
  author?: { name: string };
  timestamp?: string;
}

export interface ChannelMessage {
  id: string;
  /** Null: the channel itself. */
  threadId: string | null;
  content: string;
  embeds: ShownEmbed[];
  /** Times it was changed. */
  edits: number;
  /** Whom it pinged when it was posted. */
  pings: string[];
  /** What looks like a mention anywhere in it, whether it pings or not. */
  mentions: string[];
  /** `[words](address)` anywhere in it. */
  maskedLinks: string[];
  /** Addresses that became links by themselves. */
  autolinks: string[];
}

export interface Channel {
  id: string;
  token: string;
  /** As Discord shows it for copying. */
  url: string;
  name: string;
  threads: Set<string>;
  messages: ChannelMessage[];
  state: "usable" | "deleted" | "forbidden";
}

let last = 1_300_000_000_000_000_000n;

/** Unique in this process, and rising. */
export function snowflake(): string {
  last += 4_194_304n;
  return String(last);
}

export function createChannel(name: string): Channel {
  const id = snowflake();
  const token = randomBytes(51).toString("base64url");
  return {
    id,
    token,
    url: `https://discord.com/api/webhooks/${id}/${token}`,
    name,
    threads: new Set(),
    messages: [],
    state: "usable",
  };
}

/** The members of a checked body that are shown. */
export interface CheckedBody {
  content?: string | null;
  embeds?: ShownEmbed[] | null;
  allowed_mentions?: { parse?: string[]; roles?: string[]; users?: string[] } | null;
}

export function post(channel: Channel, threadId: string | null, body: CheckedBody): ChannelMessage {
  const message: ChannelMessage = {
    id: snowflake(),
    threadId,
    content: body.content ?? "",
    embeds: body.embeds ?? [],
    edits: 0,
    pings: pingsOf(body),
    mentions: [],
    maskedLinks: [],
    autolinks: [],
  };
  read(message);
  channel.messages.push(message);
  return message;
}

export function edit(message: ChannelMessage, body: CheckedBody): void {
  if (body.content !== undefined) message.content = body.content ?? "";
  if (body.embeds !== undefined) message.embeds = body.embeds ?? [];
  message.edits += 1;
  read(message);
}

function read(message: ChannelMessage): void {
  const found = textsOf(message).map(readMarkdown);
  message.mentions = found.flatMap((one) => one.mentions);
  message.maskedLinks = found.flatMap((one) => one.maskedLinks);
  message.autolinks = found.flatMap((one) => one.autolinks);
}

/** All that Discord reads as Markdown. */
function textsOf({ content, embeds }: ChannelMessage): string[] {
  return [
    content,
    ...embeds.flatMap((embed) => [
      embed.title ?? "",
      embed.description ?? "",
      ...(embed.fields ?? []).flatMap(({ name, value }) => [name, value]),
    ]),
  ];
}

/** Only the content pings, and only whom `allowed_mentions` lets it. */
function pingsOf({ content, allowed_mentions: allowed }: CheckedBody): string[] {
  const {
    parse = [],
    roles = [],
    users = [],
  } = allowed ?? { parse: ["everyone", "roles", "users"] };
  return readMarkdown(content ?? "").mentions.filter((mention) => {
    const [kind = "", id = ""] = mention.split(" ");
    if (kind === "everyone" || kind === "here") return parse.includes("everyone");
    if (kind === "role") return parse.includes("roles") || roles.includes(id);
    return kind === "user" && (parse.includes("users") || users.includes(id));
  });
}

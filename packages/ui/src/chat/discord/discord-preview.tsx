import type { DiscordEmbed, DiscordMessage } from "@markethook/chat";
import { cssColour, type PreviewProps } from "../chat-platform.ts";
import { clock, PreviewCard } from "../preview-card.tsx";
import classes from "./discord-preview.module.css";
import { words } from "../../words/words.ts";
import { createElement, type ReactNode } from "react";
import { type Block, type Inline, readBlocks, readInline } from "./chat-markdown.ts";

/** A message as Discord shows it. */
export function DiscordPreview({ body, name, look, edited }: PreviewProps) {
  // Made by our own format a moment ago.
  const message = JSON.parse(body) as DiscordMessage;
  return (
    <PreviewCard name={name} look={look} className={classes["card"]}>
      {message.content === undefined || message.content === "" ? null : (
        <div className={classes["content"]} dir="auto">
          <ChatText>{message.content}</ChatText>
        </div>
      )}
      {message.embeds.map((embed, index) => (
        <Embed key={index} embed={embed} />
      ))}
      {edited ? <span className={classes["quiet"]}>{words.chat.edited}</span> : null}
    </PreviewCard>
  );
}

function Embed({ embed }: { embed: DiscordEmbed }) {
  const { title, url, description, fields = [], footer, timestamp } = embed;
  return (
    <div
      className={classes["embed"]}
      data-testid="embed"
      style={{ borderLeftColor: cssColour(embed.color) }}
    >
      {title === undefined ? null : (
        <div
          className={classes["title"]}
          data-linked={url !== undefined || undefined}
          title={url}
          dir="auto"
        >
          <ChatLine>{title}</ChatLine>
        </div>
      )}
      {description === undefined ? null : (
        <div className={classes["description"]} dir="auto">
          <ChatText>{description}</ChatText>
        </div>
      )}
      {fields.length === 0 ? null : (
        <dl className={classes["fields"]}>
          {fields.map((field, index) => (
            <div key={index} data-wide={field.inline ? undefined : true}>
              <dt dir="auto">
                <ChatLine>{field.name}</ChatLine>
              </dt>
              <dd dir="auto">
                <ChatText>{field.value}</ChatText>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {footer === undefined && timestamp === undefined ? null : (
        <div className={classes["footer"]}>
          {[footer?.text, timestamp === undefined ? undefined : clock(Date.parse(timestamp))]
            .filter((part) => part !== undefined && part !== "")
            .join(" • ")}
        </div>
      )}
    </div>
  );
}

/** A text with blocks, as in an embed's description. */
function ChatText({ children }: { children: string }) {
  return <>{readBlocks(children).map((block, index) => showBlock(block, index))}</>;
}

/** A text of one line, as in a title. */
function ChatLine({ children }: { children: string }) {
  return <>{readInline(children).map((node, index) => showInline(node, index))}</>;
}

function showBlock(block: Block, key: number): ReactNode {
  if (block.kind === "code") {
    return (
      <span key={key} className={classes["fenced"]}>
        {block.text}
      </span>
    );
  }
  return (
    <span key={key} className={classes[block.kind]}>
      {block.children.length === 0 ? "\u{a0}" : block.children.map(showInline)}
    </span>
  );
}

/** Links lead nowhere: this is a picture of a message. */
function showInline(node: Inline, key: number): ReactNode {
  switch (node.kind) {
    case "text":
      return node.text;
    case "code":
      return <code key={key}>{node.text}</code>;
    case "mention":
      return (
        <span key={key} className={classes["mention"]}>
          {node.text}
        </span>
      );
    case "link":
      return (
        <span key={key} className={classes["link"]} title={node.url}>
          {node.children.map(showInline)}
        </span>
      );
    case "spoiler":
      return (
        <span key={key} className={classes["spoiler"]}>
          {node.children.map(showInline)}
        </span>
      );
    default:
      return createElement(TAGS[node.kind], { key }, node.children.map(showInline));
  }
}

const TAGS = { bold: "strong", italic: "em", underline: "u", strike: "s" } as const;

import type { SlackBlock, SlackMessage } from "@markethook/chat";
import { createElement, type ReactNode } from "react";
import { formatted } from "../../shared/times.ts";
import { words } from "../../words/words.ts";
import type { PreviewProps } from "../chat-platform.ts";
import { decoded, type Inline, readMrkdwn } from "./mrkdwn.ts";
import classes from "./slack-preview.module.css";

/** A message as Slack shows it. No message of Slack's is edited. */
export function SlackPreview({ body, name, look }: Omit<PreviewProps, "edited">) {
  // Made by our own format a moment ago.
  const { blocks } = JSON.parse(body) as SlackMessage;
  return (
    <figure className={classes["card"]} data-look={look} aria-label={words.chat.previewOf}>
      <span className={classes["avatar"]} aria-hidden>
        {name.trim().slice(0, 1).toUpperCase()}
      </span>
      <div className={classes["message"]}>
        <div className={classes["head"]}>
          <bdi className={classes["name"]}>{name}</bdi>
          <span className={classes["badge"]}>{words.chat.app}</span>
          <span className={classes["quiet"]}>{clock(Date.now())}</span>
        </div>
        {blocks.map((block, index) => (
          <Block key={index} block={block} />
        ))}
      </div>
    </figure>
  );
}

function Block({ block }: { block: SlackBlock }) {
  if (block.type === "header") {
    return (
      <div className={classes["title"]} dir="auto">
        {decoded(block.text.text)}
      </div>
    );
  }
  if (block.type === "context") {
    return <div className={classes["quiet"]}>{block.elements.map(showText)}</div>;
  }
  if ("text" in block) {
    return (
      <div className={classes["text"]} dir="auto">
        {showText(block.text, 0)}
      </div>
    );
  }
  return (
    <div className={classes["fields"]}>
      {block.fields.map((field, index) => (
        <div key={index} dir="auto">
          {showText(field, index)}
        </div>
      ))}
    </div>
  );
}

function showText({ type, text }: { type: string; text: string }, key: number): ReactNode {
  return (
    <span key={key}>{type === "mrkdwn" ? readMrkdwn(text).map(showInline) : decoded(text)}</span>
  );
}

/** Links lead nowhere: this is a picture of a message. */
function showInline(node: Inline, key: number): ReactNode {
  switch (node.kind) {
    case "text":
      return node.text;
    case "code":
      return <code key={key}>{node.text}</code>;
    case "date":
      return clock(node.time * 1000);
    case "link":
      return (
        <span key={key} className={classes["link"]} title={node.url}>
          {node.text}
        </span>
      );
    default:
      return createElement(TAGS[node.kind], { key }, node.children.map(showInline));
  }
}

const TAGS = { bold: "strong", italic: "em", strike: "s" } as const;

function clock(time: number): string {
  return formatted(time, { dateStyle: "short", timeStyle: "short" });
}

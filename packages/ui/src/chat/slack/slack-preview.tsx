import type { SlackBlock, SlackMessage } from "@markethook/chat";
import { createElement, type ReactNode } from "react";
import type { PreviewProps } from "../chat-platform.ts";
import { clock, PreviewCard } from "../preview-card.tsx";
import { decoded, type Inline, readMrkdwn } from "./mrkdwn.ts";
import classes from "./slack-preview.module.css";

/** A message as Slack shows it. No message of Slack's is edited. */
export function SlackPreview({ body, name, look }: Omit<PreviewProps, "edited">) {
  // Made by our own format a moment ago.
  const { blocks } = JSON.parse(body) as SlackMessage;
  return (
    <PreviewCard name={name} look={look} className={classes["card"]}>
      {blocks.map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </PreviewCard>
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

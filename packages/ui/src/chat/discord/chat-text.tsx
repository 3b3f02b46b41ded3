import type { ReactNode } from "react";
import { type Block, type Inline, readBlocks, readInline } from "./chat-markdown.ts";
import classes from "./chat-text.module.css";

/** A text with blocks, as in an embed's description. */
export function ChatText({ children }: { children: string }) {
  return <>{readBlocks(children).map((block, index) => showBlock(block, index))}</>;
}

/** A text of one line, as in a title. */
export function ChatLine({ children }: { children: string }) {
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
    default:
      return (
        <span key={key} className={classes[node.kind]}>
          {node.children.map(showInline)}
        </span>
      );
  }
}

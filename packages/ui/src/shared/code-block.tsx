import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import classes from "./code-block.module.css";

interface CodeBlockProps {
  /** Stands above. */
  title: string;
  /** What it is, for who cannot see where it stands. */
  label: string;
  text: string;
  wrap?: boolean;
  tall?: boolean;
  /** Beside the button to copy. */
  tools?: ReactNode;
}

/** Exact text in a frame that scrolls. */
export function CodeBlock({ title, label, text, wrap, tall, tools }: CodeBlockProps) {
  return (
    <div className={classes["block"]}>
      <div className={classes["bar"]}>
        <span>{title}</span>
        <span className={classes["tools"]}>
          {tools}
          <CopyButton text={text} label={label} />
        </span>
      </div>
      <pre
        className={classes["text"]}
        data-wrap={wrap === true || undefined}
        data-tall={tall === true || undefined}
        // It scrolls, so it has to be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        dir="ltr"
      >
        {text}
      </pre>
    </div>
  );
}

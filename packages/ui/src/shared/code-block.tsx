import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import classes from "./code-block.module.css";
import { visibleMarks } from "./direction-marks.ts";
import { words } from "../words/first-words.ts";

interface CodeBlockProps {
  /** Stands above. */
  title: string;
  /** What it is, for who cannot see where it stands. */
  label: string;
  text: string;
  /** High, and without wrapped lines: for code. */
  tall?: boolean;
  /** Next to the button to copy. */
  tools?: ReactNode;
}

/** Exact text in a frame that scrolls. What would change its direction is shown by name; the button copies it as it is. */
export function CodeBlock({ title, label, text, tall, tools }: CodeBlockProps) {
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
        data-tall={tall === true || undefined}
        // It scrolls, so it has to be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        dir="ltr"
      >
        {visibleMarks(text).map((part, index) =>
          part.isMark ? (
            // Nothing but its place tells one from another.
            <span key={index} className={classes["mark"]} title={words.shared.directionMark}>
              {part.text}
            </span>
          ) : (
            part.text
          ),
        )}
      </pre>
    </div>
  );
}

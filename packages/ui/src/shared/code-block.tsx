import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import classes from "./code-block.module.css";
import { visibleMarks } from "./direction-marks.ts";
import { words } from "../words/first-words.ts";

interface CodeBlockProps {
  /** Shown above the text. */
  title: string;
  /** Names the text for screen readers. */
  label: string;
  text: string;
  /** For code: a high frame, and lines are not wrapped. */
  tall?: boolean;
  /** Shown next to the Copy button. */
  tools?: ReactNode;
}

/** Exact text in a frame that scrolls. Marks of direction are shown by name; the button copies the text as it is. */
export function CodeBlock({ title, label, text, tall, tools }: CodeBlockProps) {
  return (
    <div className={classes["block"]}>
      <div className={classes["bar"]}>
        <span>{title}</span>
        <Group component="span" gap="0.25rem 0.5rem">
          {tools}
          <CopyButton text={text} label={label} />
        </Group>
      </div>
      <pre
        className={classes["text"]}
        data-tall={tall === true || undefined}
        // It scrolls, so it has to be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        dir="ltr"
        translate="no"
      >
        {visibleMarks(text).map((part, index) =>
          part.isMark ? (
            // Parts differ by their position only, so that is the key.
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

import type { ReactNode } from "react";
import { formatted } from "../shared/times.ts";
import { words } from "../words/words.ts";
import type { PreviewProps } from "./chat-platform.ts";
import classes from "./preview-card.module.css";

interface PreviewCardProps extends Pick<PreviewProps, "name" | "look"> {
  /** Has the platform's colours and sizes, in light and in dark. */
  className: string | undefined;
  children: ReactNode;
}

/** A message with its author, as each chat shows it. */
export function PreviewCard({ name, look, className, children }: PreviewCardProps) {
  return (
    <figure
      className={`${classes["card"]} ${className}`}
      data-look={look}
      aria-label={words.chat.previewOf}
    >
      <span className={classes["avatar"]} aria-hidden>
        {name.trim().slice(0, 1).toUpperCase()}
      </span>
      <div className={classes["message"]}>
        <div className={classes["head"]}>
          <bdi className={classes["name"]}>{name}</bdi>
          <span className={classes["badge"]}>{words.chat.app}</span>
          <span className={classes["quiet"]}>{clock(Date.now())}</span>
        </div>
        {children}
      </div>
    </figure>
  );
}

/** As chats write a time, in milliseconds. */
export function clock(time: number): string {
  return formatted(time, { dateStyle: "short", timeStyle: "short" });
}

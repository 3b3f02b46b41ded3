import type { ReactNode } from "react";
import { errorWords } from "./code-words.ts";
import classes from "./notice.module.css";
import { words } from "../words/first-words.ts";

/** A remark in a frame. `bad` is announced at once. */
export function Notice(props: {
  kind: "info" | "warn" | "bad" | "good";
  /** The element around it announces it already. */
  announced?: boolean;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div
      className={classes["notice"]}
      data-kind={props.kind}
      role={props.kind === "bad" && props.announced !== true ? "alert" : undefined}
    >
      <div className={classes["words"]}>
        {props.title === undefined ? null : <strong>{props.title}</strong>}
        {props.children === undefined ? null : <div>{props.children}</div>}
      </div>
      {props.action === undefined ? null : <div className={classes["action"]}>{props.action}</div>}
    </div>
  );
}

/** Says above a form or a list why an action failed. */
export function ErrorNotice({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const { title, text } = errorWords(error);
  return (
    <Notice kind="bad" title={title}>
      {text}
    </Notice>
  );
}

/** Stands on every page of a copy of real data, so that nobody waits for requests that are not sent. */
export function DryRunNotice({ allowTargets }: { allowTargets: readonly string[] }) {
  return <Notice kind="warn">{words.shared.dryRun(allowTargets)}</Notice>;
}

import type { ReactNode } from "react";
import classes from "./notice.module.css";

/** A remark in a frame. `bad` is announced at once. */
export function Notice(props: {
  kind: "info" | "warn" | "bad" | "good";
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div
      className={classes["notice"]}
      data-kind={props.kind}
      role={props.kind === "bad" ? "alert" : undefined}
    >
      <div className={classes["words"]}>
        {props.title === undefined ? null : <strong>{props.title}</strong>}
        {props.children === undefined ? null : <div>{props.children}</div>}
      </div>
      {props.action === undefined ? null : <div className={classes["action"]}>{props.action}</div>}
    </div>
  );
}

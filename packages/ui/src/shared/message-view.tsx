import type { ReactNode } from "react";
import classes from "./message-view.module.css";

/** A page or a part of one that has a message instead of content. */
export function MessageView(props: {
  title: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  small?: boolean;
}) {
  const Title = props.small === true ? "h2" : "h1";
  return (
    <div className={classes["view"]} data-small={props.small === true || undefined}>
      <Title className={classes["title"]}>{props.title}</Title>
      <p className={classes["text"]}>{props.children}</p>
      {props.action === undefined || props.action === null ? null : (
        <div className={classes["action"]}>{props.action}</div>
      )}
    </div>
  );
}

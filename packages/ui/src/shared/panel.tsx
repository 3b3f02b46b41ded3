import type { ReactNode } from "react";
import classes from "./panel.module.css";

/** A titled part of a page. */
export function Panel(props: {
  title: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className={classes["panel"]}>
      <div className={classes["head"]}>
        <div className={classes["words"]}>
          <h2 className={classes["title"]}>{props.title}</h2>
          {props.about === undefined ? null : <p className={classes["about"]}>{props.about}</p>}
        </div>
        {props.actions === undefined ? null : (
          <div className={classes["actions"]}>{props.actions}</div>
        )}
      </div>
      {props.children === undefined || props.children === null ? null : (
        <div className={classes["body"]}>{props.children}</div>
      )}
    </section>
  );
}

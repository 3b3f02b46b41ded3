import { type ReactNode, useEffect, useRef } from "react";
import classes from "./page-title.module.css";

let first = true;

/** For a part of the page that has gone while it had the focus. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
}

/** A page's heading. After a change of page it takes the focus, so that keyboard and screen reader begin there. */
export function PageTitle(props: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  below?: ReactNode;
  /** The way to the page above it. */
  back?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = props.title;
  }, [props.title]);
  useEffect(() => {
    // A field with autofocus is the better place to begin.
    const taken = document.activeElement !== null && document.activeElement !== document.body;
    if (!first && !(taken && document.activeElement?.closest("main") !== null)) {
      heading.current?.focus({ preventScroll: true });
    }
    first = false;
  }, []);
  return (
    <header className={classes["header"]}>
      <div className={classes["words"]}>
        {props.back === undefined ? null : <div className={classes["back"]}>{props.back}</div>}
        <h1 ref={heading} tabIndex={-1} className={classes["title"]}>
          {props.children ?? props.title}
        </h1>
        {props.below === undefined ? null : <div className={classes["below"]}>{props.below}</div>}
      </div>
      {props.actions === undefined ? null : (
        <div className={classes["actions"]}>{props.actions}</div>
      )}
    </header>
  );
}

import { type ReactNode, useEffect, useRef } from "react";
import classes from "./page-title.module.css";

let first = true;

/**
 * A page's name, also the document's. After a change of page it takes the focus, so that keyboard and screen reader begin
 * there.
 */
export function PageHeading(props: { title: string; className?: string; children?: ReactNode }) {
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
    <h1 ref={heading} tabIndex={-1} className={props.className}>
      {props.children ?? props.title}
    </h1>
  );
}

/** What stands above a page: its heading, and what can be done with it as a whole. */
export function PageTitle(props: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  below?: ReactNode;
  /** The way to the page above it. */
  back?: ReactNode;
}) {
  return (
    <header className={classes["header"]}>
      <div className={classes["words"]}>
        {props.back === undefined ? null : <div className={classes["back"]}>{props.back}</div>}
        <PageHeading title={props.title} className={classes["title"] ?? ""}>
          {props.children}
        </PageHeading>
        {props.below === undefined ? null : <div className={classes["below"]}>{props.below}</div>}
      </div>
      {props.actions === undefined ? null : (
        <div className={classes["actions"]}>{props.actions}</div>
      )}
    </header>
  );
}

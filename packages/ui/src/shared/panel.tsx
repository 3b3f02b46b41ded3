import { Fragment, type ReactNode } from "react";
import stack from "./stack.module.css";
import classes from "./panel.module.css";

/** A titled part of a page. */
export function Panel(props: {
  /** Null: nothing is shown yet. */
  title: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  /** Screen readers read title and text when they change. So the panel must be rendered before, without a title. */
  readOut?: boolean;
}) {
  return (
    <section className={classes["panel"]} data-empty={props.title === null || undefined}>
      <div className={classes["head"]}>
        <div className={classes["words"]} role={props.readOut === true ? "status" : undefined}>
          {props.title === null ? null : <h2 className={classes["title"]}>{props.title}</h2>}
          {props.about === undefined ? null : <p className={classes["about"]}>{props.about}</p>}
        </div>
        {props.actions === undefined ? null : <div className={stack["row"]}>{props.actions}</div>}
      </div>
      {props.children === undefined || props.children === null ? null : (
        <div className={classes["body"]}>{props.children}</div>
      )}
    </section>
  );
}

/** Names and values, aligned. A value that is null is left out, with its name. */
export function Facts({ items }: { items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes["facts"]}>
      {items.map(([name, value]) =>
        value === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

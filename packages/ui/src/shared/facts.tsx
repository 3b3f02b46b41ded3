import { Fragment, type ReactNode } from "react";
import classes from "./facts.module.css";

/** Names and values, aligned. What is null is left out. */
export function Facts({ items }: { items: readonly (readonly [string, ReactNode] | null)[] }) {
  return (
    <dl className={classes["facts"]}>
      {items.map((item) =>
        item === null ? null : (
          <Fragment key={item[0]}>
            <dt>{item[0]}</dt>
            <dd>{item[1]}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

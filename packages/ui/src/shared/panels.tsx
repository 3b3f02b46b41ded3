import { Group } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import stack from "./stack.module.css";
import classes from "./panels.module.css";
import { errorWords } from "./code-words.ts";
import { words } from "../words/first-words.ts";

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
      <Group justify="space-between" align="flex-start" gap="0.75rem 1.5rem">
        <div className={classes["words"]} role={props.readOut === true ? "status" : undefined}>
          {props.title === null ? null : <h2 className={classes["title"]}>{props.title}</h2>}
          {props.about === undefined ? null : <p className={classes["about"]}>{props.about}</p>}
        </div>
        {props.actions === undefined ? null : <div className={stack["row"]}>{props.actions}</div>}
      </Group>
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
      {props.action === undefined ? null : <div className={stack["row"]}>{props.action}</div>}
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

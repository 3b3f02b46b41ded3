import { Button, Skeleton, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { isNotFound } from "../api/answers.ts";
import { errorWords } from "./code-words.ts";
import { PageHeading } from "./page-title.tsx";
import classes from "./page-states.module.css";
import { words } from "../words/first-words.ts";

/** A page, or a small part of one, that has a message instead of content. */
export function MessageView(props: {
  title: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  small?: boolean;
}) {
  return (
    <div className={classes["view"]} data-small={props.small === true || undefined}>
      {props.small === true ? (
        <h2 className={classes["title"]}>{props.title}</h2>
      ) : (
        <PageHeading
          // The service's own words are not plain text.
          title={typeof props.title === "string" ? props.title : words.shared.wentWrong.title}
          className={classes["title"] ?? ""}
        >
          {props.title}
        </PageHeading>
      )}
      <p className={classes["text"]}>{props.children}</p>
      {props.action === undefined || props.action === null ? null : (
        <div className={classes["action"]}>{props.action}</div>
      )}
    </div>
  );
}

/** Shown instead of a view that could not be loaded. */
export function ErrorView({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isNotFound(error)) {
    return (
      <MessageView small title={words.shared.nothingHere}>
        {words.shared.nothingHereText}
      </MessageView>
    );
  }
  const { title, text } = errorWords(error);
  return (
    <div role="alert">
      <MessageView
        small
        title={title}
        action={
          <Button variant="default" onClick={onRetry}>
            {words.shared.tryAgain}
          </Button>
        }
      >
        {text}
      </MessageView>
    </div>
  );
}

interface UnreadViewProps {
  query: { error: unknown; refetch: () => unknown };
  rows: number;
  height: number;
}

/** Shown until a query has its data. */
export function UnreadView({ query, rows, height }: UnreadViewProps) {
  return query.error === null ? (
    <LoadingView rows={rows} height={height} />
  ) : (
    <ErrorView error={query.error} onRetry={() => void query.refetch()} />
  );
}

/** Empty rows of the final height, so that nothing moves when the rows come. */
export function LoadingView({ rows = 4, height = 64 }: { rows?: number; height?: number }) {
  return (
    <div className={classes["loading"]} role="status">
      <VisuallyHidden>{words.shared.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" aria-hidden />
      ))}
    </div>
  );
}

import { Group, Skeleton, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { isNotFound } from "../api/answers.ts";
import { BusyButton } from "./buttons.tsx";
import { errorWords } from "./code-words.ts";
import classes from "./page.module.css";
import { words } from "../words/first-words.ts";

let first = true;

/**
 * A page's name, also the document's. After a change of page it takes the focus, so that keyboard and screen reader begin
 * there.
 */
function PageHeading(props: { title: string; className?: string; children?: ReactNode }) {
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

/** The top of a page: its heading, and the actions on the whole page. */
export function PageTitle(props: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  below?: ReactNode;
  /** The way to the page above it. */
  back?: ReactNode;
}) {
  return (
    <Group
      component="header"
      justify="space-between"
      align="flex-start"
      gap="1rem 1.5rem"
      className={classes["header"] ?? ""}
    >
      <div className={classes["words"]}>
        {props.back === undefined ? null : <div className={classes["back"]}>{props.back}</div>}
        <PageHeading title={props.title} className={classes["heading"] ?? ""}>
          {props.children}
        </PageHeading>
        {props.below === undefined ? null : <div className={classes["below"]}>{props.below}</div>}
      </div>
      {props.actions === undefined ? null : (
        <div className={classes["actions"]}>{props.actions}</div>
      )}
    </Group>
  );
}

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
        <Group justify="center" mt="1.5rem">
          {props.action}
        </Group>
      )}
    </div>
  );
}

/** Shown instead of a view that could not be loaded. */
function ErrorView(props: { error: unknown; busy: boolean; onRetry: () => void; isPage: boolean }) {
  const { error, busy, onRetry, isPage } = props;
  if (isNotFound(error)) {
    return (
      <MessageView small={!isPage} title={words.shared.nothingHere}>
        {words.shared.nothingHereText}
      </MessageView>
    );
  }
  const { title, text } = errorWords(error);
  return (
    <div role="alert">
      <MessageView
        small={!isPage}
        title={title}
        action={
          <BusyButton variant="default" busy={busy} onClick={onRetry}>
            {words.shared.tryAgain}
          </BusyButton>
        }
      >
        {text}
      </MessageView>
    </div>
  );
}

/** Shown until a query has its data. */
export function UnreadView(props: {
  query: {
    error: unknown;
    errorUpdateCount: number;
    isFetching: boolean;
    refetch: () => unknown;
  };
  rows: number;
  height: number;
  /** Whether the page has nothing else. Then an error is the page's heading, and names its tab. */
  isPage?: boolean;
}) {
  const { query, rows, height, isPage = false } = props;
  // The error stays while the same is read again, by itself too: its button may have the focus. Of a query that never failed,
  // such as that of another filter, there is none.
  const [last, setLast] = useState<unknown>(null);
  if (query.error !== null && query.error !== last) setLast(query.error);
  const error = query.error ?? (query.errorUpdateCount === 0 ? null : last);
  return error === null ? (
    <LoadingView rows={rows} height={height} />
  ) : (
    <ErrorView
      error={error}
      busy={query.isFetching}
      onRetry={() => void query.refetch()}
      isPage={isPage}
    />
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

import { Button } from "@mantine/core";
import { useMediaQuery, useWindowEvent } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Delivery } from "@markethook/client";
import { useResources, useWebhooks } from "../api/resources-and-webhooks.ts";
import { ErrorNotice } from "../shared/panels.tsx";
import { webhookTitlesAmongAll } from "../webhooks/webhook-words.ts";
import { LogRow } from "./log-row.tsx";
import { useRowKeys } from "./use-row-keys.ts";
import classes from "./log-rows.module.css";
import { words } from "../words/words.ts";

/** Of rows, where text has its usual size. */
const WIDE_ROW = 48;
const NARROW_ROW = 68;
/** Height of the column names, which stay in view; a narrow page has none. */
const HEAD = 44;
/** How many rows are printed at most. On paper each has its own height. */
const MOST_PRINTED = 1000;

interface LogRowsProps {
  items: readonly Delivery[];
  withWebhook: boolean;
  /** Whether reaching the end loads more. */
  hasMore: boolean;
  /** Whether these are the last rows. */
  isAll: boolean;
  isLoadingMore: boolean;
  error: unknown;
  onMore: () => void;
  /** The delivery that is shown next to the log. */
  open: string | null;
  /** Null: a row leads to a page of its own. */
  onOpen: ((deliveryId: string | null) => void) | null;
}

/** Rows of one height, of which only those near the window exist, and on paper many more. */
export function LogRows(props: LogRowsProps) {
  const { items, hasMore, isLoadingMore, error, onMore } = props;
  const list = useRef<HTMLUListElement>(null);
  const hint = useId();
  const [offset, setOffset] = useState(0);
  const narrow = useMediaQuery("(max-width: 44em)") ?? false;
  const webhooks = useWebhooks(props.withWebhook);
  const resources = useResources(props.withWebhook);
  const titles = useMemo(
    () => webhookTitlesAmongAll(webhooks.data ?? [], resources.data ?? []),
    [webhooks.data, resources.data],
  );
  const [scale, setScale] = useState(textScale);
  const rowHeight = (narrow ? NARROW_ROW : WIDE_ROW) * scale;
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: offset,
    scrollPaddingStart: narrow ? 0 : HEAD * scale,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  // After every paint: whatever stands above may have changed its height.
  useLayoutEffect(() => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + globalThis.scrollY;
    if (Math.abs(top - offset) > 1) setOffset(top);
    setScale(textScale());
  });
  useEffect(() => {
    rows.measure();
  }, [rows, rowHeight]);

  const shown = rows.getVirtualItems();
  const isPrinting = useIsPrinting();
  const existing = isPrinting
    ? items.slice(0, MOST_PRINTED).map((_, index) => ({ index, start: offset + index * rowHeight }))
    : shown;
  const { stop, handlers } = useRowKeys({
    list,
    items,
    shown: shown.map(({ index }) => index),
    rowHeight,
    scrollTo: (index) => rows.scrollToIndex(index),
    // The delivery next to the log follows the focus.
    onMove: (id) => {
      if (props.open !== null && props.open !== id) props.onOpen?.(id);
    },
  });
  const last = shown.at(-1)?.index ?? 0;
  const nearEnd = last >= items.length - 20;
  useEffect(() => {
    if (nearEnd && hasMore && !isLoadingMore && error === null) onMore();
  }, [nearEnd, hasMore, isLoadingMore, error, onMore, items.length]);

  return (
    <div className={classes["table"]}>
      <p className={classes["hint"]} id={hint}>
        {words.deliveries.keys((name) => (
          <kbd>{name}</kbd>
        ))}
      </p>
      <div className={classes["head"]} data-webhook={props.withWebhook || undefined} aria-hidden>
        <span>{words.deliveries.state}</span>
        <span>{words.deliveries.event}</span>
        {props.withWebhook ? <span>{words.deliveries.webhook}</span> : null}
        <span>{words.deliveries.reply}</span>
        <span className={classes["tries"]}>{words.deliveries.attempts}</span>
        <span className={classes["right"]}>{words.deliveries.created}</span>
      </div>
      <ul
        ref={list}
        className={classes["rows"]}
        aria-label={words.app.deliveries}
        aria-describedby={hint}
        {...handlers}
        style={{ height: rows.getTotalSize() }}
      >
        {existing.map((row) => {
          const delivery = items[row.index];
          return delivery === undefined ? null : (
            <LogRow
              key={delivery.id}
              delivery={delivery}
              webhook={props.withWebhook ? (titles.get(delivery.webhookId) ?? null) : undefined}
              top={row.start - offset}
              height={rowHeight}
              isStop={delivery.id === stop}
              beside={props.onOpen === null ? null : props.open === null ? "alone" : "instead"}
              position={row.index + 1}
              total={props.isAll ? items.length : -1}
            />
          );
        })}
      </ul>
      <div className={classes["end"]} role="status">
        {isLoadingMore ? words.deliveries.loadingMore : null}
        {error === null ? null : (
          <>
            <ErrorNotice error={error} />
            <Button variant="default" size="xs" onClick={onMore}>
              {words.shared.tryAgain}
            </Button>
          </>
        )}
        {props.isAll ? words.deliveries.allThatIsKept : null}
      </div>
    </div>
  );
}

/** The reader's size of text, as a multiple of the usual one. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** Whether the page is being printed. The browser lays out the paper after this is true. */
function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  const top = useRef(0);
  useWindowEvent("beforeprint", () => {
    top.current = globalThis.scrollY;
    flushSync(() => setIsPrinting(true));
  });
  // The scroll position is kept: on paper there may be fewer lines than in the window.
  useWindowEvent("afterprint", () => {
    flushSync(() => setIsPrinting(false));
    globalThis.scrollTo({ top: top.current });
  });
  return isPrinting;
}

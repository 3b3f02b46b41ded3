import { Button, VisuallyHidden } from "@mantine/core";
import { useMediaQuery, useNetwork } from "@mantine/hooks";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { MessageView, UnreadView } from "../shared/page-states.tsx";
import { isNarrowed, type LogFilter, readUserId } from "./log-filter.ts";
import { NewsButton, useHold } from "../shared/held-rows.tsx";
import stack from "../shared/stack.module.css";
import classes from "./delivery-log.module.css";
import { DeliveryPane } from "./delivery-view.tsx";
import { LogFilterForm } from "./log-filter-form.tsx";
import { LogRows } from "./log-rows.tsx";
import { goesOnByItself, PAGE_SIZE, searchedBy } from "./log-paging.ts";
import { SearchedNote } from "./searched-note.tsx";
import { useLog } from "./use-log.ts";
import { words } from "../words/words.ts";
import { StateLabel } from "../shared/inline-text.tsx";
import { useLiveStatus } from "../live/live-context.tsx";

interface DeliveryLogProps {
  filter: LogFilter;
  /** Of all webhooks; a resource or a webhook can be chosen. */
  ofAll?: boolean;
  /** The delivery that is shown next to it, where there is room for both. */
  open: string | null;
  onFilter: (filter: LogFilter) => void;
  onOpen: (deliveryId: string | null) => void;
}

const ROOM_FOR_BOTH = "(min-width: 87.5em)";

/** The log of one webhook or of all, followed live. */
export function DeliveryLog(props: DeliveryLogProps) {
  const { filter, ofAll = false, open, onFilter, onOpen } = props;
  const isWide = useMediaQuery(ROOM_FOR_BOTH, undefined, { getInitialValueInEffect: false });
  const shown = isWide ? open : null;
  const list = useRef<HTMLDivElement>(null);
  const { isHeld, handlers } = useHold(list, () => showNews());
  const { query, items, news, showNews, arrivals } = useLog(filter, isHeld);
  const pages = query.data?.pages ?? [];
  const searched = searchedBy(pages);
  const goesOn = goesOnByItself(pages.at(-1), PAGE_SIZE);
  const { search, ...unsought } = filter;
  const buyerId = readUserId(search);
  /** The focus goes back to its row, where that is on the page. */
  const close = (): void => {
    const row = `[data-id="${shown}"] > a`;
    list.current?.querySelector<HTMLElement>(row)?.focus({ preventScroll: true });
    onOpen(null);
  };
  return (
    <div>
      <LogFilterForm
        filter={filter}
        ofAll={ofAll}
        onFilter={onFilter}
        status={
          <>
            {query.data === undefined || items.length === 0 ? null : (
              <span className={classes["count"]}>
                {words.shared.deliveries(items.length, query.hasNextPage)}
              </span>
            )}
            <LiveLabel />
          </>
        }
      />
      <Arrivals count={arrivals} />
      <FilterStatus
        filter={filter}
        isRead={
          query.data !== undefined && !query.isPlaceholderData && (items.length > 0 || !goesOn)
        }
        count={items.length}
        hasMore={query.hasNextPage}
      />
      {searched === null ? null : (
        <SearchedNote
          searched={searched}
          onFurther={query.hasNextPage && !goesOn ? () => void query.fetchNextPage() : null}
          busy={query.isFetchingNextPage}
          buyer={
            buyerId === null
              ? null
              : { id: buyerId, onBuyer: () => onFilter({ ...unsought, userId: buyerId }) }
          }
        />
      )}
      <div
        className={classes["both"]}
        data-split={shown !== null || undefined}
        onKeyDown={(event) => {
          // A dialog that was opened from here stands elsewhere, and closes itself.
          const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
          if (event.key === "Escape" && isHere && shown !== null) close();
        }}
      >
        <div ref={list} {...handlers}>
          <NewsButton words={news} list={list} focusable="a" onShow={showNews} />
          {query.data === undefined ? <UnreadView query={query} rows={6} height={44} /> : null}
          {query.data !== undefined && items.length === 0 && !query.hasNextPage ? (
            <div className={stack["list"]}>
              {isNarrowed(filter, ofAll) ? (
                <MessageView
                  small
                  title={words.deliveries.noMatch}
                  action={
                    <Button
                      variant="default"
                      onClick={() =>
                        onFilter(
                          ofAll || filter.webhookId === undefined
                            ? {}
                            : { webhookId: filter.webhookId },
                        )
                      }
                    >
                      {words.deliveries.clearFilters}
                    </Button>
                  }
                >
                  {words.deliveries.noMatchText}
                </MessageView>
              ) : (
                <MessageView small title={words.webhooks.nothingSent}>
                  {words.deliveries.nothingSentText}
                </MessageView>
              )}
            </div>
          ) : null}
          {items.length === 0 ? null : (
            <LogRows
              items={items}
              withWebhook={filter.webhookId === undefined}
              hasMore={goesOn}
              isAll={!query.hasNextPage}
              isLoadingMore={query.isFetchingNextPage}
              error={query.isFetchNextPageError ? query.error : null}
              onMore={() => void query.fetchNextPage()}
              open={shown}
              onOpen={isWide ? onOpen : null}
            />
          )}
        </div>
        {shown === null ? null : (
          <DeliveryPane deliveryId={shown} onOpen={onOpen} onClose={close} />
        )}
      </div>
    </div>
  );
}

/** A burst is told once, not delivery by delivery. */
const PAUSE_MS = 2000;

/** Tells a screen reader that deliveries have arrived. `count` only grows. */
function Arrivals({ count }: { count: number }) {
  const [told, setTold] = useState({ count, text: "" });
  const isPending = count > told.count;
  const tell = useEffectEvent(() => {
    const fresh = count - told.count;
    setTold({ count, text: words.deliveries.newOnes(fresh) });
  });
  // From the first of a burst on: one that does not end is told, too.
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => tell(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  // The same words twice would not be read out the second time.
  return <VisuallyHidden aria-live="polite">{isPending ? "" : told.text}</VisuallyHidden>;
}

const LIVE_TONES = { connecting: "quiet", live: "good", offline: "quiet", away: "busy" } as const;

/** Whether new deliveries appear by themselves right now. */
function LiveLabel() {
  const status = useLiveStatus();
  // The stream notices only later that nothing comes any more.
  const { online } = useNetwork();
  const shown = online ? status : "offline";
  return <StateLabel tone={LIVE_TONES[shown]}>{words.live[shown]}</StateLabel>;
}

interface FilterStatusProps {
  filter: LogFilter;
  /** Whether the shown rows were read with this filter. */
  isRead: boolean;
  count: number;
  hasMore: boolean;
}

/** Tells a screen reader how much is shown after the filter was changed. What comes later by itself is not told here. */
function FilterStatus({ filter, isRead, count, hasMore }: FilterStatusProps) {
  const key = JSON.stringify(filter);
  const [told, setTold] = useState({ key, text: "" });
  if (isRead && told.key !== key) {
    setTold({ key, text: words.shared.deliveries(count, hasMore) });
  }
  return (
    <VisuallyHidden role="status">
      {/* By its key, because the same words again are read out only if they are new on the page. */}
      <span key={told.key}>{told.key === key ? told.text : ""}</span>
    </VisuallyHidden>
  );
}

import { given } from "@markethook/protocol/given";
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useRef } from "react";
import { LazyChart } from "../activity/lazy-chart.tsx";
import { useSession } from "../session/session.ts";
import { ErrorNotice } from "../shared/panels.tsx";
import { MessageView, PageTitle, UnreadView } from "../shared/page.tsx";
import { isNarrowed, type LogFilter, readUserId, withTimes } from "./log-filter.ts";
import { NewsButton, useHold } from "../shared/held-rows.tsx";
import stack from "../shared/stack.module.css";
import classes from "./delivery-log.module.css";
import { DeliveryPane } from "./delivery-view.tsx";
import { LogFilterForm } from "./log-filter-form.tsx";
import { LogRows } from "./log-rows.tsx";
import { goesOnByItself, PAGE_SIZE, searchedBy } from "./log-paging.ts";
import { Arrivals, FilterStatus, LiveLabel, SearchedNote } from "./log-status.tsx";
import { useLog } from "./use-log.ts";
import { words } from "../words/words.ts";

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
  // Until the log is read as it is narrowed now, the rows from before are shown, and nothing is said of them.
  const isOld = query.isPlaceholderData;
  const searched = isOld ? null : searchedBy(pages);
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
            {isOld ? (
              <span className={classes["count"]}>{words.shared.loading}</span>
            ) : items.length === 0 ? null : (
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
        isRead={query.data !== undefined && !isOld && (items.length > 0 || !goesOn)}
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
      {/* If there are rows, the list shows this error at its end. */}
      {items.length === 0 && query.isFetchNextPageError ? (
        <ErrorNotice error={query.error} />
      ) : null}
      <div
        className={classes["both"]}
        data-split={shown !== null || undefined}
        onKeyDown={(event) => {
          // A dialog that was opened from here stands elsewhere, and closes itself.
          const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
          if (event.key === "Escape" && isHere && shown !== null) close();
        }}
      >
        <div ref={list} {...handlers} className={classes["rows"]} data-old={isOld || undefined}>
          <NewsButton words={news} list={list} focusable="a" onShow={showNews} />
          {query.data === undefined || (isOld && items.length === 0) ? (
            <UnreadView query={query} rows={6} height={44} />
          ) : items.length === 0 && !query.hasNextPage ? (
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
              hasMore={goesOn && !isOld}
              isAll={!query.hasNextPage && !isOld}
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

/** The log of all webhooks of the owner. */
export function LogPage() {
  const { open = null, ...filter } = useSearch({ from: "/deliveries" });
  const navigate = useNavigate({ from: "/deliveries" });
  const { client } = useSession();
  const { resourceId, webhookId } = filter;
  const scope = given({ resourceId, webhookId });
  const show = (next: LogFilter, id: string | null): void =>
    void navigate({
      search: { ...next, ...(id === null ? {} : { open: id }) },
      // Back closes what was opened, and goes through no others and no filters.
      replace: id === null || open !== null,
      resetScroll: false,
    });
  return (
    <>
      <PageTitle title={words.app.deliveries} below={words.deliveries.about} />
      <LazyChart
        client={client}
        scope={scope}
        log={{ range: filter, onRange: (range) => show(withTimes(filter, range), open) }}
      />
      <DeliveryLog
        filter={filter}
        ofAll
        open={open}
        onFilter={(next) => show(next, open)}
        onOpen={(id) => show(filter, id)}
      />
    </>
  );
}

import { Button } from "@mantine/core";
import { useRef } from "react";
import { LiveLabel } from "../live/live-label.tsx";
import { ErrorView } from "../shared/error-view.tsx";
import { LoadingView } from "../shared/loading-view.tsx";
import { MessageView } from "../shared/message-view.tsx";
import { NewsButton } from "../shared/news-button.tsx";
import { useHold } from "../shared/use-hold.ts";
import { Arrivals } from "./arrivals.tsx";
import classes from "./delivery-log.module.css";
import { LogFilters } from "./log-filters.tsx";
import { isNarrowed, type LogFilter } from "./log-filter.ts";
import { LogRows } from "./log-rows.tsx";
import { useLog } from "./use-log.ts";

interface DeliveryLogProps {
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
}

/** The log of one webhook or of all, followed live. */
export function DeliveryLog({ filter, onFilter }: DeliveryLogProps) {
  const list = useRef<HTMLDivElement>(null);
  const { isHeld, handlers } = useHold(list, () => showNews());
  const { query, items, news, showNews, arrivals } = useLog(filter, isHeld);
  return (
    <div>
      <LogFilters filter={filter} onFilter={onFilter} status={<LiveLabel />} />
      <Arrivals count={arrivals} />
      <div ref={list} {...handlers}>
        <NewsButton words={news} list={list} focusable="a" onShow={showNews} />
        {query.isPending ? <LoadingView rows={6} height={44} /> : null}
        {query.data === undefined && query.error !== null ? (
          <ErrorView error={query.error} onRetry={() => void query.refetch()} />
        ) : null}
        {query.data !== undefined && items.length === 0 && !query.hasNextPage ? (
          <div className={classes["empty"]}>
            {isNarrowed(filter) ? (
              <MessageView
                small
                title="Nothing matches"
                action={
                  <Button
                    variant="default"
                    onClick={() =>
                      onFilter(
                        filter.webhookId === undefined ? {} : { webhookId: filter.webhookId },
                      )
                    }
                  >
                    Clear filters
                  </Button>
                }
              >
                No delivery fits these filters.
              </MessageView>
            ) : (
              <MessageView small title="Nothing sent yet">
                Send a ping, or wait for the first event; it appears here by itself.
              </MessageView>
            )}
          </div>
        ) : null}
        {items.length === 0 ? null : (
          <LogRows
            items={items}
            withWebhook={filter.webhookId === undefined}
            hasMore={query.hasNextPage}
            isLoadingMore={query.isFetchingNextPage}
            error={query.isFetchNextPageError ? query.error : null}
            onMore={() => void query.fetchNextPage()}
          />
        )}
      </div>
    </div>
  );
}

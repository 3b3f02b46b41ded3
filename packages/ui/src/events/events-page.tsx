import { Box, Button, Group, TextInput, VisuallyHidden } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { EventSummary } from "@markethook/client";
import { firstFilledPage, unwrap } from "../api/answers.ts";
import { keys } from "../api/query-cache.ts";
import { useFieldText } from "../deliveries/log-filter-fields.tsx";
import { useSession } from "../session/session.ts";
import { BusyButton } from "../shared/buttons.tsx";
import { MessageView, PageTitle, UnreadView } from "../shared/page.tsx";
import { NewsButton, useHold } from "../shared/held-rows.tsx";
import { useRefusal } from "../shared/use-refusal.ts";
import stack from "../shared/stack.module.css";
import classes from "./events-page.module.css";
import { words } from "../words/words.ts";
import { ErrorNotice, Panel } from "../shared/panels.tsx";
import { EventRow, ExplanationLines } from "./event-row.tsx";

/** "Why did nothing arrive?": each event, with its result at each webhook. */
export function EventsPage() {
  const { open, userId } = useSearch({ from: "/events" });
  const navigate = useNavigate({ from: "/events" });
  const events = useEvents(userId);
  const items = useMemo(
    () => events.data?.pages.flatMap((page) => page.items) ?? [],
    [events.data],
  );
  // Events that come later by themselves are not announced.
  const [told, setTold] = useState({ userId, text: "" });
  if (events.data !== undefined && told.userId !== userId) {
    setTold({ userId, text: words.events.found(items.length, events.hasNextPage) });
  }
  const list = useRef<HTMLDivElement>(null);
  const { isHeld, handlers } = useHold(list, () => showNews());
  const { shown, news, showNews } = useHeldEvents(items, isHeld);
  const isListed = open === undefined || items.some(({ id }) => id === open);
  const toggle = (id: string): void => {
    void navigate({
      search: { ...(userId === undefined ? {} : { userId }), ...(open === id ? {} : { open: id }) },
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <>
      <PageTitle title={words.events.title} below={words.events.about} />
      <UserField
        value={userId}
        onUser={(next) =>
          void navigate({ search: next === undefined ? {} : { userId: next }, replace: true })
        }
      />
      <VisuallyHidden role="status">
        <span key={told.userId ?? ""}>{told.text}</span>
      </VisuallyHidden>
      {isListed || open === undefined ? null : <ExplainedEvent eventId={open} />}
      {events.data === undefined ? <UnreadView query={events} rows={5} height={52} /> : null}
      {events.data !== undefined && items.length === 0 ? (
        <div className={stack["list"]}>
          <MessageView small title={words.events.none}>
            {userId === undefined ? words.events.noneAtAll : words.events.noneOfUser}
          </MessageView>
        </div>
      ) : null}
      <div ref={list} {...handlers}>
        <NewsButton words={news} list={list} focusable="button[aria-expanded]" onShow={showNews} />
        {shown.length === 0 ? null : (
          <ul className={stack["list"]} aria-label={words.app.events}>
            {shown.map((event) => (
              <EventRow
                key={event.id}
                event={event}
                opened={event.id === open}
                onToggle={() => toggle(event.id)}
              />
            ))}
          </ul>
        )}
      </div>
      {events.isFetchNextPageError ? (
        <Box mt="1.25rem">
          <ErrorNotice error={events.error} />
        </Box>
      ) : null}
      {events.hasNextPage ? (
        <Group justify="center" mt="1.25rem">
          <BusyButton
            variant="default"
            busy={events.isFetchingNextPage}
            onClick={() => void events.fetchNextPage()}
          >
            {words.events.showOlder}
          </BusyButton>
        </Group>
      ) : null}
    </>
  );
}

const PAGE_SIZE = 50;

/** Events of the owner's resources, newest first. */
function useEvents(userId: number | undefined) {
  const { client, info } = useSession();
  return useInfiniteQuery({
    queryKey: [...keys.events(info.resourceId ?? undefined), userId ?? null],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...(info.resourceId === null ? {} : { resourceId: info.resourceId }),
        ...(userId === undefined ? {} : { userId }),
      };
      return await firstFilledPage(pageParam, async (cursor) => {
        const params = { query: { ...query, ...(cursor === null ? {} : { cursor }) } };
        return await unwrap(client.api.GET("/v1/events", { params, signal }));
      });
    },
    getNextPageParam: (last) => last.nextCursor,
  });
}

/** An event that a link leads to and that is further down than the list has been read. */
function ExplainedEvent({ eventId }: { eventId: string }) {
  return (
    <Box mb="md">
      <Panel title={<code>{eventId}</code>}>
        <ExplanationLines eventId={eventId} />
      </Panel>
    </Box>
  );
}

function UserField(props: { value: number | undefined; onUser: (id: number | undefined) => void }) {
  const [text, setText] = useFieldText(props.value === undefined ? "" : String(props.value));
  const id = text.trim() === "" ? undefined : Number(text);
  const isId = id === undefined || (Number.isSafeInteger(id) && id >= 0);
  const fault = isId ? null : words.events.userIdFault;
  const refusal = useRefusal(fault);
  return (
    <form
      ref={refusal.form}
      role="search"
      className={classes["search"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (isId) props.onUser(id);
        else refusal.refuse();
      }}
    >
      <TextInput
        aria-label={words.deliveries.userId}
        placeholder={words.deliveries.userId}
        inputMode="numeric"
        maxLength={16}
        value={text}
        error={fault}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {words.events.find}
      </Button>
      <VisuallyHidden role="status">{refusal.said}</VisuallyHidden>
    </form>
  );
}

/**
 * The events to show. New ones are held back while `isHeld` is true, until `showNews` is called. Events that new ones have
 * pushed off the end of `items` stay.
 */
function useHeldEvents(items: readonly EventSummary[], isHeld: () => boolean) {
  const [shown, setShown] = useState(items);
  useLayoutEffect(() => {
    setShown((before) => (isHeld() ? withOlder(before, items) : items));
    // Only when the known events change.
  }, [items]);
  return { shown, news: newsOf(shown, items), showNews: () => setShown(items) };
}

function withOlder(
  shown: readonly EventSummary[],
  items: readonly EventSummary[],
): readonly EventSummary[] {
  // Nothing is shown yet that could move, or there is nothing to show.
  if (shown.length === 0 || items.length === 0) return items;
  const last = positionOf(items, shown.at(-1));
  return last === -1 ? shown : [...shown, ...items.slice(last + 1)];
}

/** Null: nothing is held back. */
function newsOf(shown: readonly EventSummary[], items: readonly EventSummary[]): string | null {
  if (shown.length === 0) return null;
  const count = positionOf(items, shown[0]);
  if (count === 0) return null;
  if (count === -1) return items.length === 0 ? null : words.events.showNew;
  return words.events.showNewOnes(count);
}

function positionOf(items: readonly EventSummary[], event: EventSummary | undefined): number {
  return items.findIndex(({ id }) => id === event?.id);
}

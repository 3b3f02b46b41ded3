import { about, answerOf, withQuery, type CallOptions, type Context } from "./call.ts";
import { eachItem, type ListOptions } from "./pages.ts";
import type { EventExplanation, EventFilter, EventSummary, StoredEvent } from "./schemas.ts";

export function createStoredEvents(context: Context) {
  const { api } = context;

  return {
    async get(id: string, options: CallOptions = {}): Promise<StoredEvent> {
      return await answerOf(api.GET("/v1/events/{id}", about(context, id, options)));
    },

    /** Reported events, newest first, without pings. */
    list(
      filter: EventFilter = {},
      options: ListOptions & CallOptions = {},
    ): AsyncGenerator<EventSummary, void, undefined> {
      return eachItem(options, (page) =>
        answerOf(
          api.GET("/v1/events", withQuery(context, { ...filter, ...page }, options)),
          "items",
        ),
      );
    },

    /** Why it did or did not arrive, a line per webhook of its resource. */
    async explain(id: string, options: CallOptions = {}): Promise<EventExplanation> {
      return await answerOf(api.GET("/v1/events/{id}/explanation", about(context, id, options)));
    },
  };
}

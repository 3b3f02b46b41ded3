import { answerOf, callOptions, type CallOptions, type Context } from "./call.ts";
import { count, createTally, type ItemResult, type Tally } from "./item-result.ts";
import { makeRandomKey, reportEach, type ReportManyOptions } from "./report-many.ts";
import type { EventInput, EventItem } from "./schemas.ts";
import { createStoredEvents } from "./stored-events.ts";

/** Stored, by this call or, a `duplicate`, by an earlier one with the same key. */
export type ReportResult =
  | { status: "accepted"; eventId: string; deliveries: number }
  | { status: "duplicate"; eventId: string };

export interface ReportOptions extends CallOptions {
  /**
   * The id of the order line or refund line. Without one, a key is made for this call: it makes the call's own retries
   * safe, but not a repeat of the call, for example after a crash.
   */
  idempotencyKey?: string;
}

/** A header loses spaces at both ends, and cannot have every character. In the body the service checks a key as it is. */
const FITS_HEADER = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

export function createEvents(context: Context) {
  const { api } = context;

  return {
    ...createStoredEvents(context),

    /** When this answers, the event is stored and will be delivered. Retried with the same idempotency key. */
    async report(
      resourceId: string,
      event: EventInput,
      options: ReportOptions = {},
    ): Promise<ReportResult> {
      const key = options.idempotencyKey ?? event.idempotencyKey ?? makeRandomKey();
      const inHeader = FITS_HEADER.test(key);
      return await answerOf(
        api.POST("/v1/resources/{id}/events", {
          params: {
            path: { id: resourceId },
            ...(inHeader ? { header: { "idempotency-key": key } } : {}),
          },
          body: inHeader ? event : { ...event, idempotencyKey: key },
          ...callOptions(context, options, { repeatable: true }),
        }),
        "eventId",
      );
    },

    /**
     * Reports any number of events and tells each one's result, in the order of the input, as its batch is answered.
     * It runs at the pace of its consumer: no more than `concurrency` batches are sent ahead of the consumer.
     */
    reportEach: (
      items: Iterable<EventItem> | AsyncIterable<EventItem>,
      options: ReportManyOptions = {},
    ): AsyncGenerator<ItemResult, void, undefined> => reportEach(context, items, options),

    /** The same, with all results at the end. */
    async reportMany(
      items: Iterable<EventItem> | AsyncIterable<EventItem>,
      options: ReportManyOptions = {},
    ): Promise<Tally & { results: ItemResult[] }> {
      const results: ItemResult[] = [];
      const tally = createTally();
      for await (const result of reportEach(context, items, options)) {
        count(tally, result);
        results.push(result);
      }
      return { ...tally, results };
    },
  };
}

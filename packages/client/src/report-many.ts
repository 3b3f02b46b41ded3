import { isObject } from "@markethook/protocol/json-object";
import { LIMITS } from "@markethook/protocol/limits";
import { answerOf, callOptions, type CallOptions, type Context } from "./call.ts";
import { type Batch, cutBatches, LARGEST_ITEM_BYTES } from "./cut-batches.ts";
import { ApiError } from "./errors.ts";
import {
  count,
  createTally,
  type EventOfInput,
  failure,
  type ItemResult,
  readResult,
  refusal,
  type Tally,
} from "./item-result.ts";
import type { EventItem } from "./schemas.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ReportManyOptions extends CallOptions {
  /** Events per request, at most 1,000, which is the default. 4 MiB are never exceeded. */
  batchSize?: number;
  /**
   * Batches on their way at the same time. Default 1: with more, events about the same buyer are no longer sure to
   * be accepted in the order of the input.
   */
  concurrency?: number;
  /**
   * What to do after a batch that failed in spite of all retries. By default nothing more is sent, so that no refund
   * goes out before its purchase: the remaining events are reported as failed, with `sent: false`.
   */
  afterFailure?: "stop" | "go_on";
  /** After each batch. `total` is given if the input has a length. */
  onProgress?: (progress: Tally & { total?: number }) => void;
}

type Sent = { results: ItemResult[]; failed: boolean } | { aborted: unknown };

/** Cuts the input into batches, sends them, and yields the results in the order of the input. */
export async function* reportEach(
  context: Context,
  items: Iterable<EventItem> | AsyncIterable<EventItem>,
  options: ReportManyOptions,
): AsyncGenerator<ItemResult, void, undefined> {
  const { batchSize = LIMITS.batchItems, concurrency = 1, afterFailure = "stop" } = options;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency is an integer of 1 or more, not ${concurrency}.`);
  }
  const tally = createTally();
  const total = Array.isArray(items) ? { total: items.length } : {};
  const onTheirWay: Promise<Sent>[] = [];
  let stoppedBy: Error | null = null;

  async function* takeFirst(): AsyncGenerator<ItemResult, void, undefined> {
    const sent = await onTheirWay.shift();
    if (sent === undefined) return;
    if ("aborted" in sent) throw sent.aborted;
    if (sent.failed && afterFailure === "stop") stoppedBy ??= firstError(sent.results);
    for (const result of sent.results) count(tally, result);
    options.onProgress?.({ ...tally, ...total });
    yield* sent.results;
  }

  const given = untilAborted(items, options.signal);
  for await (const batch of cutBatches(prepareEvents(given), batchSize, ({ text }) => text)) {
    options.signal?.throwIfAborted();
    onTheirWay.push(
      stoppedBy === null
        ? sendBatch(context, batch, options)
        : Promise.resolve({ results: notSent(batch, stoppedBy), failed: true }),
    );
    if (onTheirWay.length >= concurrency) yield* takeFirst();
  }
  while (onTheirWay.length > 0) yield* takeFirst();
}

/**
 * Never rejects, so that a batch on its way next to one that was aborted is nobody's unhandled rejection. An event for
 * which the whole batch is refused is rejected, and the others are sent without it.
 */
async function sendBatch(
  context: Context,
  batch: Batch<PreparedEvent>,
  options: ReportManyOptions,
): Promise<Sent> {
  const rejected = new Map<PreparedEvent, ItemResult>();
  const refusalOf = (item: PreparedEvent) => item.refused ?? rejected.get(item) ?? null;
  for (;;) {
    const sendable = batch.items.filter((item) => refusalOf(item) === null);
    if (sendable.length === 0) {
      return { results: batch.items.flatMap((item) => refusalOf(item) ?? []), failed: false };
    }
    try {
      const answers = (await send(context, sendable, options)).results.values();
      const results = batch.items.map(
        (item) => refusalOf(item) ?? readResult(item.event, answers.next().value),
      );
      return { results, failed: results.some(({ status }) => status === "failed") };
    } catch (error) {
      if (options.signal?.aborted === true) return { aborted: error };
      const item = refusedItem(error, sendable);
      if (error instanceof ApiError && item !== undefined) {
        const { code, title, detail, pointer } = error;
        const result = { code, title, detail, ...(pointer === null ? {} : { pointer }) };
        rejected.set(item, readResult(item.event, { status: "rejected", ...result }));
        continue;
      }
      const reason = error instanceof Error ? error : new Error(String(error));
      return {
        results: batch.items.map((one) => refusalOf(one) ?? failure(one.event, reason, true)),
        failed: true,
      };
    }
  }
}

async function send(context: Context, items: readonly PreparedEvent[], options: ReportManyOptions) {
  const text = `{"events":[${items.map((item) => item.text).join(",")}]}`;
  return await answerOf(
    context.api.POST("/v1/events", {
      body: { events: [] },
      // The texts are made already, to know their size.
      bodySerializer: () => text,
      // Each event has its key.
      ...callOptions(context, options, { repeatable: true }),
    }),
    "results",
  );
}

/** The event that the refusal of a whole batch points to: a name in it that no JSON here may have, for example. */
function refusedItem(error: unknown, items: readonly PreparedEvent[]): PreparedEvent | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  const index = /^\/events\/(\d+)(?:\/|$)/.exec(error.pointer ?? "")?.[1];
  return index === undefined ? undefined : items[Number(index)];
}

function notSent(batch: Batch<PreparedEvent>, because: Error): ItemResult[] {
  const error = new Error("Not sent, because an earlier batch failed.", { cause: because });
  return batch.items.map(({ event, refused }) => refused ?? failure(event, error, false));
}

function firstError(results: readonly ItemResult[]): Error {
  for (const result of results) if (result.status === "failed") return result.error;
  return new Error("A batch failed.");
}

/** An event as text, with the key that it is sent with at each try; or why it cannot be sent at all. */
interface PreparedEvent {
  event: EventOfInput;
  text: string;
  refused: ItemResult | null;
}

async function* prepareEvents(
  items: Iterable<EventItem> | AsyncIterable<EventItem>,
): AsyncGenerator<PreparedEvent, void, undefined> {
  const run = makeRandomKey();
  let index = 0;
  for await (const item of items) {
    yield prepare(item, index, `${run}-${index}`);
    index += 1;
  }
}

function prepare(item: unknown, index: number, madeKey: string): PreparedEvent {
  // An item that is not even an object is sent unchanged: the service names its fault.
  const members = isObject(item) ? item : null;
  const named = members?.["idempotencyKey"];
  const sent =
    members !== null && named === undefined ? { ...members, idempotencyKey: madeKey } : item;
  const key = members === null ? null : (named ?? madeKey);
  const event = { index, idempotencyKey: typeof key === "string" ? key : null };
  const text = toText(sent);
  if (text === null) return { event, text: "", refused: refusal(event, "json_invalid") };
  if (new TextEncoder().encode(text).length >= LARGEST_ITEM_BYTES) {
    return { event, text: "", refused: refusal(event, "event_too_large") };
  }
  return { event, text, refused: null };
}

function toText(value: unknown): string | null {
  try {
    // Undefined for values that JSON does not know, in spite of the types.
    const text: string | undefined = JSON.stringify(value);
    return text ?? null;
  } catch {
    return null;
  }
}

/** 128 random bits in hexadecimal, also where `crypto.randomUUID` is missing: on pages without TLS. */
export function makeRandomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

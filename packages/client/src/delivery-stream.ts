import { answerOf, type Context, ownerQuery } from "./call.ts";
import { ApiError, UnexpectedAnswerError, UnreachableError } from "./errors.ts";
import type { Delivery, StreamFilter } from "./schemas.ts";
import { orAborted } from "./until-aborted.ts";

export interface StreamOptions {
  /** Ends it; the iterator throws the signal's reason. */
  signal?: AbortSignal;
  /** The service has begun to tell: what is listed from now on misses nothing. */
  onOpen?: () => void;
  /** More has changed than is sent one by one: list again. */
  onSkipped?: () => void;
}

/** The service says something every 15 s at least. */
const SILENCE_MS = 40_000;
const EXPLAINED = [ApiError, UnreachableError, UnexpectedAnswerError];

/**
 * Deliveries as they are made and as they change, each time again with its present state. Ends when the session does, and
 * when the instance stops; throws when the connection breaks. It does not come back by itself, because only the caller can
 * list again what it missed.
 */
export async function* streamDeliveries(
  context: Context,
  filter: StreamFilter,
  options: StreamOptions,
): AsyncGenerator<Delivery, void, undefined> {
  const silence = new AbortController();
  const signal = AbortSignal.any([silence.signal, ...(options.signal ? [options.signal] : [])]);
  // Events that come while the caller works on a delivery wait to be read: that is no silence.
  const hear: Hear = async (pending) => {
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      return await orAborted(pending, signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw EXPLAINED.some((kind) => error instanceof kind) ? error : brokeOff(error);
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const body = await hear(open(context, filter, signal));
    options.onOpen?.();
    for await (const { event, data } of readServerSentEvents(body, hear)) {
      if (event === "end") return;
      if (event === "skipped") options.onSkipped?.();
      if (event === "delivery") yield parseDelivery(data);
    }
    throw brokeOff(new Error("the stream ended without a word"));
  } finally {
    // The connection closes, whatever ended this.
    silence.abort();
  }
}

function parseDelivery(data: string): Delivery {
  try {
    // As the route's schema says.
    return JSON.parse(data) as Delivery;
  } catch (error) {
    throw brokeOff(error);
  }
}

function brokeOff(cause: unknown): UnreachableError {
  return new UnreachableError("The live stream broke off.", "dropped", true, { cause });
}

/** Waits for it, until the signal is aborted or the service has been silent for too long. */
type Hear = <T>(pending: Promise<T>) => Promise<T>;

async function open(
  context: Context,
  filter: StreamFilter,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const answer = context.api.GET("/v1/deliveries/stream", {
    params: { query: { ...filter, ...ownerQuery(context) } },
    parseAs: "stream",
    headers: { accept: "text/event-stream" },
    fetch: context.openStream,
    signal,
  });
  const body: ReadableStream<Uint8Array> | null | undefined = await answerOf(answer);
  if (body == null) throw new UnexpectedAnswerError("The stream has no body.", 200, "");
  return body;
}

interface ServerSentEvent {
  event: string;
  data: string;
}

/** Reads `text/event-stream` as it comes. A `fetch` may no longer hear of the signal once it has answered. */
async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  hear: Hear,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await hear(reader.read());
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Null for a comment. */
function parseBlock(block: string): ServerSentEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (line.startsWith("event:")) event = value;
    else if (line.startsWith("data:")) data.push(value);
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
}

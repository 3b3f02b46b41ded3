import { LARGEST_ITEM_BYTES } from "./cut-batches.ts";
import { type EventOfInput, type ItemResult, refusal } from "./item-result.ts";
import type { EventItem } from "./schemas.ts";

/** An event as text, with the key that it is sent with at each try; or why it cannot be sent at all. */
export interface PreparedEvent {
  event: EventOfInput;
  text: string;
  refused: ItemResult | null;
}

export async function* prepareEvents(
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
  const isObject = typeof item === "object" && item !== null && !Array.isArray(item);
  const named = isObject && "idempotencyKey" in item ? item.idempotencyKey : undefined;
  // What is not even an object goes out as it is: the service says what is wrong with it.
  const sent = isObject && named === undefined ? { ...item, idempotencyKey: madeKey } : item;
  const key = isObject ? (named ?? madeKey) : null;
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
    // Undefined for what JSON does not know, whatever the types say.
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

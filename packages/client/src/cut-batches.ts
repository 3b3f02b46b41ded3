import { LIMITS } from "@markethook/protocol/limits";

export interface Batch<T> {
  items: T[];
  /** JSON of each item. */
  texts: string[];
  bytes: number;
}

/** Room for the JSON around the items: the name of the array, and brackets. */
const FRAME_BYTES = 64;
export const LARGEST_ITEM_BYTES = LIMITS.batchBytes - FRAME_BYTES;

/** Items in their order, cut so that a batch has at most `size` items and fits into one request. */
export async function* cutBatches<T>(
  items: Iterable<T> | AsyncIterable<T>,
  size: number,
  toText: (item: T) => string,
): AsyncGenerator<Batch<T>, void, undefined> {
  if (!Number.isSafeInteger(size) || size < 1 || size > LIMITS.batchItems) {
    throw new RangeError(`batchSize is an integer of 1 to ${LIMITS.batchItems}, not ${size}.`);
  }
  const encoder = new TextEncoder();
  let batch: Batch<T> = { items: [], texts: [], bytes: 0 };
  for await (const item of items) {
    const text = toText(item);
    // One more for the comma.
    const bytes = encoder.encode(text).length + 1;
    if (batch.bytes + bytes > LARGEST_ITEM_BYTES && batch.items.length > 0) {
      yield batch;
      batch = { items: [], texts: [], bytes: 0 };
    }
    batch.items.push(item);
    batch.texts.push(text);
    batch.bytes += bytes;
    if (batch.items.length === size) {
      yield batch;
      batch = { items: [], texts: [], bytes: 0 };
    }
  }
  if (batch.items.length > 0) yield batch;
}

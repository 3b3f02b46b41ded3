import type { AcceptResult } from "../port/events.ts";
import { shortHash } from "./key-hash-and-generation.ts";
import type { DedupeKeyRow, KeyRow, PreparedItem } from "./accept-transaction.ts";

/** An item of a batch without its final result. */
export interface Draft {
  item: PreparedItem;
  seq: number;
  /** Keys in the order of precedence: the marketplace's own key first. */
  keys: KeyRow[];
  /** The one of these that is made of the update's id. */
  updateKey: string | null;
  dedupeKey: DedupeKeyRow | null;
  /** The result that refuses it. Null: it is stored. */
  result: AcceptResult | null;
}

export function makeDraft(item: PreparedItem, seq: number): Draft {
  const keys: KeyRow[] = [];
  if (item.idempotency !== undefined) {
    keys.push({
      key: resourceKey(item.resourceId, item.idempotency.key),
      bodyHash: shortHash(item.idempotency.bodyHash),
      eventSeq: seq,
      tag: item.tag,
    });
  }
  const updateKey =
    item.update === undefined ? null : shortHash(`u:${item.resourceId}:${item.update.id}`);
  if (updateKey !== null) {
    // An update's id is a second key of the marketplace's own. The report is compared with the stored event.
    keys.push({
      key: updateKey,
      bodyHash: "",
      eventSeq: seq,
      tag: item.tag,
    });
  }
  const dedupeKey =
    item.dedupeKey === undefined
      ? null
      : { dedupeKey: item.dedupeKey, eventSeq: seq, tag: item.tag };
  return { item, seq, keys, updateKey, dedupeKey, result: null };
}

/**
 * The stored form of an idempotency key, which counts within its resource. No resource id contains a colon, so two
 * different pairs never give the same text.
 */
function resourceKey(resourceId: string, key: string): string {
  return shortHash(`r:${key}:${resourceId}`);
}

import { isOfContent } from "../row-faults.ts";
import type { StoreHint } from "../port/store.ts";

/** A delivery that is due and cannot be read. It stays in the database. */
export interface UnreadableDelivery {
  seq: number;
  webhookNo: number;
  why: string;
}

/** An unreadable delivery is looked at again after this time: a newer version may be able to read it. */
export const UNREADABLE_WAIT_MS = 60_000;

/** Why a row that is in two tables is not claimed: for example, a part of a backup was put back by hand. */
export const LEASED_TOO = "it waits and is leased as well";

/**
 * Reads one delivery of several. A row that cannot be read must not keep the others from being read: it goes to
 * `unreadable`, and null is returned. Examples are the number of an event name that only a newer version knows, and a
 * missing event.
 */
export function readOne<T>(
  { seq, webhookNo }: Omit<UnreadableDelivery, "why">,
  read: () => T,
  unreadable: UnreadableDelivery[],
): T | null {
  try {
    return read();
  } catch (error) {
    if (!isOfContent(error)) throw error;
    unreadable.push({ seq, webhookNo, why: error.message });
    return null;
  }
}

/** Tells once for all unreadable deliveries of a claim. Returns its outcome. */
export function tellUnreadable<T extends { unreadable: readonly UnreadableDelivery[] }>(
  outcome: T,
  tell: (hint: StoreHint) => void,
): T {
  const [first] = outcome.unreadable;
  if (first !== undefined) {
    const { length } = outcome.unreadable;
    const error = new Error(
      `${first.why} (delivery ${first.seq} of webhook ${first.webhookNo}${length > 1 ? `, and ${length - 1} others` : ""})`,
    );
    tell({ kind: "fault", where: "read deliveries", error });
  }
  return outcome;
}

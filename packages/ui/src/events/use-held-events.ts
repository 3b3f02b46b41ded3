import type { EventSummary } from "@markethook/client";
import { useLayoutEffect, useState } from "react";
import { words } from "../words/words.ts";

/**
 * What is shown of the events that are known: new ones are held back while `isHeld`, until `showNews`; those that new
 * ones have pushed off the end stay.
 */
export function useHeldEvents(items: readonly EventSummary[], isHeld: () => boolean) {
  const [shown, setShown] = useState(items);
  useLayoutEffect(() => {
    setShown((before) => (isHeld() ? withOlder(before, items) : items));
    // By what is known.
  }, [items]);
  return { shown, news: newsOf(shown, items), showNews: () => setShown(items) };
}

function withOlder(
  shown: readonly EventSummary[],
  items: readonly EventSummary[],
): readonly EventSummary[] {
  // A first row has nothing to move, and another list none in common.
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

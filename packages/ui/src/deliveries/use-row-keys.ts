import type { Delivery } from "@markethook/client";
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

interface RowKeys {
  list: RefObject<HTMLElement | null>;
  items: readonly Delivery[];
  /** Those that exist on the page, in order. */
  shown: readonly number[];
  rowHeight: number;
  scrollTo: (index: number) => void;
  /** The keys have moved the focus to it. */
  onMove: (id: string) => void;
}

/**
 * The log is one stop of the Tab key, whatever its length. Within it the arrow keys (or j and k), Page Up and Down, Home
 * and End move the focus; n goes to the next delivery that failed, of those that were read. Letters work only while the
 * focus is in the log. A row that the focus goes to may have to be scrolled into existence first.
 */
export function useRowKeys({ list, items, shown, rowHeight, scrollTo, onMove }: RowKeys) {
  const [current, setCurrent] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);

  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const link = list.current?.querySelector<HTMLElement>(`[data-id="${wanted.current}"] > a`);
    if (link === null || link === undefined) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  });

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const from = items.findIndex(({ id }) => id === idOf(event.target));
    if (from === -1) return;
    const page = Math.max(1, Math.floor(globalThis.innerHeight / rowHeight) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      j: 1,
      k: -1,
      n: stepsToFailed(items, from),
      PageDown: page,
      PageUp: -page,
      Home: -items.length,
      End: items.length,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const to = Math.min(items.length - 1, Math.max(0, from + step));
    const id = items[to]?.id ?? null;
    wanted.current = id;
    setCurrent(id);
    scrollTo(to);
    if (id !== null) onMove(id);
  };

  const onFocus = (event: FocusEvent<HTMLElement>): void => setCurrent(idOf(event.target));

  const isShown = shown.some((index) => items[index]?.id === current);
  const first = items[shown[0] ?? 0]?.id ?? null;
  return { stop: isShown ? current : first, handlers: { onKeyDown, onFocus } };
}

/** 0, to stay, if none follows. A delivery that waits for another attempt has failed too. */
function stepsToFailed(items: readonly Delivery[], from: number): number {
  const to = items.findIndex(({ lastOutcome }, index) => {
    return index > from && lastOutcome !== null && lastOutcome !== "ok";
  });
  return to === -1 ? 0 : to - from;
}

function idOf(target: EventTarget): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest("[data-id]")?.getAttribute("data-id") ?? null;
}

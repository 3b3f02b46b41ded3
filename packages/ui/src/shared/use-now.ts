import { useSyncExternalStore } from "react";

const TICK_MS = 5000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

/** The time in milliseconds, in steps of five seconds, or of `stepMs` if that is longer. One timer serves all callers. */
export function useNow(stepMs = 1): number {
  return useSyncExternalStore(subscribe, () => now - (now % stepMs));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Math.max(now, Date.now());
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

import type { Client, Delivery } from "@markethook/client";

export type LiveStatus = "connecting" | "live" | "away";

export type LiveDeliveries = ReturnType<typeof startLiveDeliveries>;

const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 20_000;

/**
 * One stream of an owner's deliveries for the whole page. connecting -> live -> away -> connecting ...: it comes back
 * by itself after growing waits, or at once when the browser says that it is online again. The signal ends it.
 *
 * It is open only while somebody can see the page. To a server without HTTP/2 a browser keeps six connections, for all
 * tabs together: with six streams open in the background no page would load any more, and no button would work.
 */
export function startLiveDeliveries(client: Client, signal: AbortSignal) {
  const listeners = new Set<(delivery: Delivery) => void>();
  const watchers = new Set<() => void>();
  let status: LiveStatus = "connecting";
  let openings = 0;
  const become = (next: LiveStatus): void => {
    if (next === "live") openings += 1;
    status = next;
    for (const tell of watchers) tell();
  };

  void (async () => {
    let wait = SHORTEST_WAIT_MS;
    for (;;) {
      await until(isSeen, signal);
      if (signal.aborted) return;
      const ending = new AbortController();
      const isOver = AbortSignal.any([signal, ending.signal]);
      void until(() => !isSeen(), isOver).then(() => ending.abort());
      try {
        const stream = client.deliveries.stream(
          {},
          {
            signal: isOver,
            onOpen: () => {
              wait = SHORTEST_WAIT_MS;
              become("live");
            },
            // More has happened than the stream reports: as after a gap.
            onSkipped: () => become("live"),
          },
        );
        for await (const delivery of stream) for (const tell of listeners) tell(delivery);
      } catch {
        // The next opening shows whether the cause is over. Every call notices the session's own end.
      }
      ending.abort();
      if (signal.aborted) return;
      become("away");
      if (!isSeen()) continue;
      await happened(globalThis, "online", AbortSignal.any([signal, AbortSignal.timeout(wait)]));
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  })();

  return {
    /** Each delivery that was made or changed its state. Returns how to stop listening. */
    listen(listener: (delivery: Delivery) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Called on every change of the status. Returns how to stop watching. */
    watch(listener: () => void): () => void {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
    status: (): LiveStatus => status,
    /** How often the stream began again: something may have been missed whenever it grows. */
    openings: (): number => openings,
  };
}

function isSeen(): boolean {
  return document.visibilityState === "visible";
}

/** Resolves when it is so, which a change of the page's visibility may have made; or with the signal. */
async function until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isSo() && !signal.aborted) await happened(document, "visibilitychange", signal);
}

/** Resolves with the event, or when the signal is aborted. */
async function happened(target: EventTarget, name: string, signal: AbortSignal): Promise<void> {
  const heard = new AbortController();
  await new Promise<void>((resolve) => {
    const done = (): void => resolve();
    target.addEventListener(name, done, { signal: heard.signal });
    signal.addEventListener("abort", done, { signal: heard.signal });
  });
  heard.abort();
}

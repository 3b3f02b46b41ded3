/** Waits for it; rejects with the signal's reason as soon as that is aborted. The awaited work goes on. */
export async function orAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody waits for it then, also not for its error.
  if (signal.aborted) pending.catch(() => undefined);
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([pending, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** The same items. An abort ends also the wait for the next one, where that takes time. */
export function untilAborted<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): Iterable<T> | AsyncIterable<T> {
  return signal !== undefined && Symbol.asyncIterator in items
    ? eachUntilAborted(items, signal)
    : items;
}

async function* eachUntilAborted<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let open = true;
  try {
    for (;;) {
      open = false;
      const next = await orAborted(iterator.next(), signal);
      if (next.done === true) return;
      open = true;
      yield next.value;
    }
  } finally {
    if (open) await iterator.return?.();
    // Not waited for: a generator returns only when it has its next item.
    else if (signal.aborted) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

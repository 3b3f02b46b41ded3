/**
 * Repeats work that tells how many milliseconds later it is to run again; it must not reject, and never runs twice at
 * once. The returned function ends it, after its last run.
 */
export function repeat(firstMs: number, work: () => Promise<number>): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const runIn = (ms: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = work().then(runIn);
    }, ms);
  };
  runIn(firstMs);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}

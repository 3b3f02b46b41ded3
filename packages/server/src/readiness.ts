import type { Dispatcher } from "@markethook/dispatcher";
import type { Store } from "@markethook/store";

const FRESH_MS = 1000;
const LIMIT_MS = 1500;

/** Ready: the database takes writes and this instance holds a life. Looked at once a second at most. */
export function createReadiness({
  store,
  dispatcher,
  now,
  remarks,
}: {
  store: Store;
  dispatcher: Dispatcher;
  now: () => number;
  /** Of how it runs; told with the checks. */
  remarks: Readonly<Record<string, string>>;
}) {
  let checkedAt = -Infinity;
  let last: Promise<{ ready: boolean; checks: Record<string, string> }> | null = null;

  async function check(): Promise<{ ready: boolean; checks: Record<string, string> }> {
    const fault = await within(store.maintenance.checkWritable());
    const life = dispatcher.statistics().life;
    const checks = {
      store: fault ?? "writable",
      lease: life === null ? "this instance holds no life" : "held",
      ...remarks,
    };
    return { ready: fault === null && life !== null, checks };
  }

  return () => {
    if (last === null || now() - checkedAt > FRESH_MS) {
      checkedAt = now();
      last = check();
    }
    return last;
  };
}

/** Null: it worked. */
async function within(work: Promise<void>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("no answer in time"), LIMIT_MS);
  });
  try {
    return await Promise.race([
      work.then(
        () => null,
        () => "not writable",
      ),
      limit,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

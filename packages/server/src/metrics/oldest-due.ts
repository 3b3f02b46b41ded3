import type { DeliveryStore } from "@markethook/store";

/** Webhooks per query: some 30 to 100 ms of the database. */
const TOGETHER = 5000;
/** Queries per round. */
const BUDGET_MS = 1000;

/** Webhooks with numbers above `above` up to `upTo`. */
interface Slice {
  above: number;
  upTo: number;
  /** When the oldest of them became due, by the monotonic clock; null: none was. */
  dueAt: number | null;
  webhooks: number;
}

/**
 * How long the oldest due delivery has been due. No index knows it, so each webhook with waiting deliveries is asked.
 * If there are many, a round reads some slices of them, in a circle, and again the slice with the oldest. So the value
 * is right for deliveries that have been due for longer than a circle takes, and lags for newer ones.
 */
export function createOldestDue(
  store: Pick<DeliveryStore, "oldestDue">,
  now: () => number,
  /** Webhooks whose receivers keep them waiting; they do not count. */
  keptWaiting: () => readonly number[],
): () => Promise<number> {
  let slices: Slice[] = [{ above: 0, upTo: Number.MAX_SAFE_INTEGER, dueAt: null, webhooks: 0 }];
  let turn = 0;

  async function look(slice: Slice): Promise<void> {
    const { ageMs, webhooks, lastNo } = await store.oldestDue(
      slice.above,
      slice.upTo,
      TOGETHER,
      keptWaiting(),
    );
    slice.dueAt = ageMs > 0 ? now() - ageMs : null;
    slice.webhooks = webhooks;
    if (lastNo === null || lastNo >= slice.upTo) return;
    const rest = { above: lastNo, upTo: slice.upTo, dueAt: null, webhooks: 0 };
    slices.splice(slices.indexOf(slice) + 1, 0, rest);
    slice.upTo = lastNo;
  }

  function oldest(): Slice | null {
    return slices.reduce<Slice | null>(
      (found, slice) =>
        slice.dueAt !== null && slice.dueAt < (found?.dueAt ?? Infinity) ? slice : found,
      null,
    );
  }

  return async () => {
    const until = now() + BUDGET_MS;
    const looked = new Set<Slice>();
    do {
      const slice = slices[turn];
      if (slice === undefined) break;
      await look(slice);
      looked.add(slice);
      turn += 1;
    } while (turn < slices.length && now() < until);
    if (turn >= slices.length) {
      turn = 0;
      slices = joined(slices);
    }
    // The oldest may have been sent since; then the next oldest is read.
    for (let found = oldest(); found !== null; found = oldest()) {
      if (looked.has(found) || now() >= until + BUDGET_MS) break;
      await look(found);
      looked.add(found);
    }
    const dueAt = oldest()?.dueAt ?? null;
    return dueAt === null ? 0 : Math.max(0, now() - dueAt);
  };
}

/** Merges slices with few webhooks into their neighbours. */
function joined(slices: readonly Slice[]): Slice[] {
  const result: Slice[] = [];
  for (const slice of slices) {
    const last = result.at(-1);
    if (last === undefined || last.webhooks + slice.webhooks > TOGETHER / 2) {
      result.push(slice);
      continue;
    }
    last.upTo = slice.upTo;
    last.webhooks += slice.webhooks;
    last.dueAt =
      last.dueAt === null ? slice.dueAt : Math.min(last.dueAt, slice.dueAt ?? last.dueAt);
  }
  return result;
}

import { MarkethookError } from "@markethook/protocol";
import {
  type AcceptItem,
  type AcceptResult,
  type EventStore,
  isAboutRows,
} from "@markethook/store";
import { Batcher } from "./batcher.ts";
import type { Handoff } from "./handoff.ts";
import type { Observer } from "../wiring/observer.ts";

/** Items of one run. The store splits them further if the fan-out is large. */
const RUN_ITEMS = 1000;

/**
 * Few large commits cost less than many small ones. But if single events come faster than commits in sequence can take
 * them, the events of a large commit need not wait for the one before.
 */
const PARALLEL_COMMITS = 3;
/** How many requests must wait for a commit next to another one. */
const BESIDE_FROM = 64;

export function createIntake(options: {
  events: Pick<EventStore, "accept">;
  handoff: Handoff;
  observer: Observer;
  now: () => number;
  maxBytes: number;
  timeoutMs: number;
  /** True if the store runs one commit at a time anyway. */
  singleWriter: boolean;
}) {
  const { events, handoff, observer, now } = options;
  let bytes = 0;
  let stopping = false;

  const batcher = new Batcher<AcceptItem, AcceptResult>({
    maxItems: RUN_ITEMS,
    parallel: options.singleWriter ? 1 : PARALLEL_COMMITS,
    besideFrom: BESIDE_FROM,
    isOfOne: isAboutRows,
    async run(items, free) {
      await handoff.caughtUp();
      const startedAt = now();
      const budget = handoff.budget();
      const outcome = await events.accept(items, budget).catch((error: unknown) => {
        handoff.take(budget, null);
        throw error;
      });
      // The next commit is under way while these are handed over, which keeps this thread busy for as long as one
      // takes.
      if (free()) await new Promise(setImmediate);
      handoff.take(budget, outcome);
      const { results, preLeased, notPreLeased } = outcome;
      observer.accepted({
        items: items.length,
        accepted: results.filter((result) => result.kind === "accepted").length,
        leased: preLeased.length,
        notPreLeased,
        ms: now() - startedAt,
      });
      return results;
    },
  });

  /** The time limit cancels nothing: a commit that was sent may still succeed. */
  function commit(items: readonly AcceptItem[], size: number): Promise<AcceptResult[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new MarkethookError("outcome_unknown", { retryAfterSeconds: 2 })),
        options.timeoutMs,
      );
      const over = (): void => {
        bytes -= size;
        clearTimeout(timer);
      };
      bytes += size;
      batcher.add(items).then(
        (results) => {
          over();
          resolve(results);
        },
        (error: Error) => {
          over();
          reject(error);
        },
      );
    });
  }

  return {
    /**
     * Resolves when the events are durable.
     * @throws `overloaded` at the cap, `outcome_unknown` after the time limit (the commit goes on; the same
     * idempotency key is safe), `shutting_down`, and the store's errors.
     */
    async accept(items: readonly AcceptItem[]): Promise<AcceptResult[]> {
      if (stopping) throw new MarkethookError("shutting_down", { retryAfterSeconds: 1 });
      const size = items.reduce((sum, item) => sum + sizeOf(item), 0);
      if (bytes > 0 && bytes + size > options.maxBytes) {
        throw new MarkethookError("overloaded", { retryAfterSeconds: 1 });
      }
      return await commit(items, size);
    },
    /** Takes no more events. Resolves when all taken ones are answered. */
    async stop(): Promise<void> {
      stopping = true;
      await batcher.idle();
    },
  };
}

/** Memory of an event besides its longer texts. */
const ITEM_BYTES = 400;

function sizeOf({ resource, update, details }: AcceptItem): number {
  const texts = [resource?.title, resource?.subtitle, update?.title, update?.description, details];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), ITEM_BYTES);
}

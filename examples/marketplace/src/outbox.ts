import { isRefused, type Markethook } from "./markethook.ts";
import type { Report } from "./shop-data.ts";
import type { Shop } from "./shop.ts";

/**
 * Tells Markethook what waits in the shop's outbox, and resources that changed.
 *
 * It is idle, in a pass, or waits for the next one. A pass sends the oldest report, again and again until none waits,
 * and then resources, so that the newest words win. A report that is refused is parked. Anything else that goes wrong
 * ends the pass, so that no refund overtakes its purchase; the next one begins after `retryMs`, or with the next action
 * of somebody. A try whose answer was lost is repeated with the same key, which makes it harmless.
 */
export interface Outbox {
  /** Begins to send, to there. */
  connect(markethook: Markethook): void;
  /** Runs a pass; resolves when it has ended, or after `FLUSH_MS`. */
  flush(): Promise<void>;
  /** Why the last pass ended early, in a sentence; null if it did not. */
  readonly problem: string | null;
  /** Waits for the request under way. */
  stop(): Promise<void>;
}

/** A person waits for the page. */
const FLUSH_MS = 2500;
const NOT_CONNECTED = "Markethook is not there yet.";

export function createOutbox(shop: Shop, retryMs: number): Outbox {
  let markethook: Markethook | null = null;
  let problem: string | null = NOT_CONNECTED;
  let pass: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const run = async (): Promise<void> => {
    if (markethook === null || stopped) return;
    pass ??= sendAll(shop, markethook, () => stopped)
      .catch(sentenceOf)
      .then((found) => {
        problem = found;
        pass = null;
        clearTimeout(timer);
        if (!stopped && isWaiting(shop)) timer = setTimeout(() => void run(), retryMs);
      });
    await pass;
  };

  return {
    connect(to) {
      markethook = to;
      problem = null;
      void run();
    },
    async flush() {
      let limit: NodeJS.Timeout | undefined;
      await Promise.race([
        run(),
        new Promise<void>((resolve) => (limit = setTimeout(resolve, FLUSH_MS))),
      ]);
      clearTimeout(limit);
    },
    get problem() {
      return problem;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await pass;
    },
  };
}

/** Null, or why it ended before everything was sent. */
async function sendAll(
  shop: Shop,
  markethook: Markethook,
  isStopped: () => boolean,
): Promise<string | null> {
  for (let report = nextReport(shop); report !== undefined; report = nextReport(shop)) {
    if (isStopped()) return null;
    const problem = await sendReport(shop, markethook, report);
    if (problem !== null) return problem;
  }
  return await tellResources(shop, markethook, isStopped);
}

async function sendReport(
  shop: Shop,
  markethook: Markethook,
  report: Report,
): Promise<string | null> {
  try {
    const sent = await markethook.report(report);
    settle(shop, report.key, { state: "sent", ...sent });
  } catch (error) {
    if (!isRefused(error)) return sentenceOf(error);
    settle(shop, report.key, { state: "parked", problem: error.message });
  }
  return null;
}

async function tellResources(
  shop: Shop,
  markethook: Markethook,
  isStopped: () => boolean,
): Promise<string | null> {
  for (const resource of shop.data.resources.filter(isUntold)) {
    if (isStopped()) return null;
    try {
      await markethook.tell(resource);
    } catch (error) {
      return sentenceOf(error);
    }
    shop.changeResource(resource.id, (stored) => {
      stored.toldRevision = resource.revision;
    });
  }
  return null;
}

function settle(shop: Shop, key: string, outcome: Partial<Report>): void {
  shop.change((data) => {
    const report = data.reports.find((one) => one.key === key);
    if (report !== undefined) Object.assign(report, outcome);
  });
}

function nextReport(shop: Shop): Report | undefined {
  return shop.data.reports.find(({ state }) => state === "waiting");
}

function isUntold({ revision, toldRevision }: { revision: number; toldRevision: number }): boolean {
  return revision !== toldRevision;
}

function isWaiting(shop: Shop): boolean {
  return nextReport(shop) !== undefined || shop.data.resources.some(isUntold);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

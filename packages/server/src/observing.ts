import type { Dispatcher, Observer } from "@markethook/dispatcher";
import type { Store } from "@markethook/store";
import type { NoticePosting } from "./notice-posting.ts";
import { createFaultLog } from "./log/fault-log.ts";
import { inTurn, logObserver } from "./log/log-observer.ts";
import type { Logger } from "pino";
import { createRepeatingFaults } from "./log/repeating-faults.ts";
import { AttemptRecorder } from "./metrics/attempt-recorder.ts";
import { createDatabaseFigures } from "./metrics/database-figures.ts";
import { createMetrics, type StoredFigures } from "./metrics/metrics.ts";
import { createOldestDue } from "./metrics/oldest-due.ts";
import { createRecentAttempts } from "./metrics/recent-attempts.ts";
import { countConnections, type HttpApp } from "./process/http-app.ts";

interface ObservingDeps {
  store: Store;
  notices: Pick<NoticePosting, "view">;
  /** These are made later, with the observer. */
  dispatcher: () => Dispatcher;
  app: () => HttpApp;
  now: () => number;
  logger: Logger;
}

/** Metrics, logs and alarms. All attempts and faults reach them through the observer. */
export function createObserving({ store, notices, dispatcher, app, now, logger }: ObservingDeps) {
  const repeating = createRepeatingFaults({
    now,
    alarm: ({ forMs, ...fault }) =>
      logger.error(
        { ...fault, seconds: Math.round(forMs / 1000) },
        "the same fault has gone on for over a minute; the work waits and is not lost; see docs/how-to/watch-the-service.md",
      ),
  });
  const oldestDue = createOldestDue(store.deliveries, now, () => dispatcher().keptWaiting());
  const figures = createDatabaseFigures<StoredFigures>(
    // One after the other, so that they do not take the database's time from sending.
    async () => ({
      stored: await store.maintenance.statistics(),
      notices: await notices.view(),
      oldestDueMs: await oldestDue(),
    }),
    now,
  );
  const metrics = createMetrics(
    figures,
    () => dispatcher().statistics(),
    () => repeating.list(),
    () => countConnections(app()),
  );
  const recent = createRecentAttempts(now);
  const recorder = new AttemptRecorder({
    store: store.attemptCounts,
    wallNow: Date.now,
    fault: (where, error) => observer.fault(where, error),
  });
  const observer: Observer = inTurn(
    [metrics.observer, recent.observer, recorder.observer, repeating.observer],
    logObserver(logger, createFaultLog(logger, now)),
  );
  return { observer, metrics, figures, recent, recorder };
}

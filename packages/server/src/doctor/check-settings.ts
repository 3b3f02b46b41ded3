import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

const IDEMPOTENCY_MS = 72 * 3_600_000;

/** Checks for settings that cannot be read, and for settings that contradict each other. */
export function* checkSettings({ config, faults }: Facts): Iterable<Finding> {
  for (const { name, sentence } of faults) {
    yield finding("setting_invalid", `${name}: ${sentence}`);
  }
  const retriesMs = config.retrySchedule.reduce((sum, ms) => sum + ms, 0);
  if (config.retention < retriesMs) {
    yield finding(
      "retention_short",
      `Ended deliveries are kept for ${hours(config.retention)}, while retries take ${hours(retriesMs)}.`,
    );
  }
  if (config.idempotencyRetention < IDEMPOTENCY_MS) {
    yield finding(
      "idempotency_short",
      `Idempotency keys are kept for ${hours(config.idempotencyRetention)}.`,
    );
  }
  if (config.logLevel === "silent") yield finding("log_silent", "Nothing is logged.");
}

function hours(ms: number): string {
  return `${Math.round((ms / 3_600_000) * 10) / 10} h`;
}

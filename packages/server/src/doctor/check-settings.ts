import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

const IDEMPOTENCY_MS = 72 * 3_600_000;

/** Checks for settings that cannot be read, and for settings that contradict each other. */
export function checkSettings({ config, faults }: Facts): Finding[] {
  const found = faults.map(({ name, sentence }) =>
    finding("setting_invalid", `${name}: ${sentence}`),
  );
  const retriesMs = config.retrySchedule.reduce((sum, ms) => sum + ms, 0);
  if (config.retention < retriesMs) {
    found.push(
      finding(
        "retention_short",
        `Ended deliveries are kept for ${hours(config.retention)}, while retries take ${hours(retriesMs)}.`,
      ),
    );
  }
  if (config.idempotencyRetention < IDEMPOTENCY_MS) {
    found.push(
      finding(
        "idempotency_short",
        `Idempotency keys are kept for ${hours(config.idempotencyRetention)}.`,
      ),
    );
  }
  if (config.logLevel === "silent") found.push(finding("log_silent", "Nothing is logged."));
  return found;
}

function hours(ms: number): string {
  return `${Math.round((ms / 3_600_000) * 10) / 10} h`;
}

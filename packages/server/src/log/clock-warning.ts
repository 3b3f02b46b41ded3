import type { Store } from "@markethook/store";
import type { Logging } from "./logger.ts";

/** NTP may move a clock by this much. */
const TOLERANCE_MS = 5000;

/** SQLite's clock never goes back: once ahead, it stays ahead of the machine's until it is set back. */
export async function warnOfClock(
  store: Pick<Store, "maintenance">,
  logger: Pick<Logging["logger"], "warn">,
): Promise<void> {
  const aheadMs = await store.maintenance.clockAheadMs();
  if (aheadMs <= TOLERANCE_MS) return;
  logger.warn(
    { aheadSeconds: Math.round(aheadMs / 1000) },
    "the database's clock is ahead of this machine's: check this machine's clock; if it is right, set the database's back as docs/how-to/set-back-the-clock.md says",
  );
}

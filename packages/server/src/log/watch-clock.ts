import type { Store } from "@markethook/store";
import type { Logger } from "pino";
import { clockDifference } from "../health/clock-difference.ts";

const LOOK_EVERY_MS = 60_000;

/** PostgreSQL's clock is right for all instances, and one of them may run on a machine whose clock is not. */
const POSTGRES = "let it be set by NTP, because receivers refuse requests of the wrong time";
/** SQLite's clock never goes back: once ahead, it stays ahead of the machine's until it is set back. */
const SQLITE =
  "if this machine's is right, restart the service; if the database's stays ahead, set it back as docs/how-to/set-back-the-clock.md says";

/**
 * Compares this machine's clock with the database's at once, and then every minute: a clock can also be set, or drift, while
 * the service runs. The returned function ends it.
 */
export async function watchClock(
  store: Pick<Store, "exclusive" | "maintenance">,
  wallNow: () => number,
  logger: Pick<Logger, "warn">,
): Promise<() => Promise<void>> {
  async function look(): Promise<void> {
    const before = wallNow();
    const off = clockDifference(await store.maintenance.now(), [before, wallNow()]);
    if (off !== null)
      logger.warn(`this machine's clock is ${off}: ${store.exclusive ? SQLITE : POSTGRES}`);
  }

  await look();
  // While the database is away, all other work says so.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref();
  return async () => clearInterval(timer);
}

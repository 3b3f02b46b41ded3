import { setTimeout as wait } from "node:timers/promises";
import type { Dispatcher } from "@markethook/dispatcher";
import type { Store } from "@markethook/store";
import type { AcceptHealth } from "./accept-health.ts";

const FRESH_MS = 1000;
const LIMIT_MS = 1500;

/**
 * Ready means: the database takes writes, reported events are stored, the lease is valid, and nobody has asked this
 * instance to stop. The database is asked at most once a second.
 */
export function createReadiness({
  store,
  dispatcher,
  accepts,
  now,
  remarks,
  isStopping,
}: {
  store: Pick<Store, "maintenance">;
  accepts: Pick<AcceptHealth, "trouble" | "tried">;
  dispatcher: Pick<Dispatcher, "statistics">;
  now: () => number;
  /** Facts about its mode, shown with the checks. */
  remarks: Readonly<Record<string, string>>;
  isStopping: () => boolean;
}) {
  let checkedAt = -Infinity;
  let last: Promise<{ ready: boolean; checks: Record<string, string> }> | null = null;

  async function check(): Promise<{ ready: boolean; checks: Record<string, string> }> {
    // At once: a caller gives up after a second or two.
    const [fault, trouble] = await Promise.all([
      within(store.maintenance.checkWritable()),
      acceptTrouble(),
    ]);
    const { mayWrite } = dispatcher.statistics();
    const checks = {
      store: fault ?? "writable",
      accepts: trouble ?? "stored",
      lease: mayWrite ? "valid" : "not valid: no heartbeat was confirmed",
      ...remarks,
    };
    return { ready: fault === null && trouble === null && mayWrite, checks };
  }

  /** A trial accept ends the trouble: a service without requests would otherwise stay unready. */
  async function acceptTrouble(): Promise<string | null> {
    const trouble = accepts.trouble();
    if (trouble === null) return null;
    if (!trouble.mayTry || (await within(store.maintenance.tryAccept())) !== null) {
      return trouble.reason;
    }
    accepts.tried();
    return null;
  }

  return async () => {
    if (isStopping()) return { ready: false, checks: { instance: "stopping", ...remarks } };
    if (last === null || now() - checkedAt > FRESH_MS) {
      checkedAt = now();
      last = check();
    }
    return await last;
  };
}

/** Null: the trial worked. */
async function within(work: Promise<void>): Promise<string | null> {
  return await Promise.race([
    work.then(
      () => null,
      () => "not writable",
    ),
    wait(LIMIT_MS, "no answer in time", { ref: false }),
  ]);
}

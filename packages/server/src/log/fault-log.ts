import { DATABASE_FAULTS, isMarkethookError } from "@markethook/protocol";
import type { Logger } from "pino";
import { faultKind, faultWords } from "./fault-words.ts";

const EVERY_MS = 1000;
const MOST = 200;

/**
 * Logs our own faults. While a database is away, every query fails, hundreds of times a second. For each kind of
 * database fault there is one line a second, which counts the faults since the line before.
 */
export function createFaultLog(
  logger: Pick<Logger, "error">,
  now: () => number,
): (where: string, error: unknown) => void {
  /** The last line of each kind, and how often it was repeated since then without one. */
  const told = new Map<string, { at: number; times: number }>();

  /** How many repetitions this line counts; null: there was a line just now. */
  function repeated(kind: string): number | null {
    const at = now();
    const before = told.get(kind);
    if (before !== undefined && at - before.at < EVERY_MS) {
      before.times += 1;
      return null;
    }
    if (before === undefined && told.size >= MOST) told.clear();
    told.set(kind, { at, times: 0 });
    return before?.times ?? 0;
  }

  return (where, error) => {
    const words = faultWords(error);
    if (!isMarkethookError(error) || !DATABASE_FAULTS.has(error.code)) {
      logger.error({ where, ...words }, "fault");
      return;
    }
    const times = repeated(`${error.code} ${faultKind(words.error)}`);
    if (times === null) return;
    logger.error(
      { where, ...words, ...(times === 0 ? {} : { repeated: times }) },
      "database fault",
    );
  };
}

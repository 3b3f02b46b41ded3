import { MarkethookError } from "@markethook/protocol";

/**
 * Earlier versions can, rarely, corrupt a database in WAL mode when the log is reset while another connection works.
 */
const OLDEST = [3, 51, 3] as const;

/** @throws `engine_too_old` for SQLite below 3.51.3. */
export function checkEngine(version = process.versions["sqlite"] ?? "0"): void {
  const parts = version.split(".").map(Number);
  for (const [index, least] of OLDEST.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (!(part >= least)) {
      throw new MarkethookError("engine_too_old", {
        detail: `This Node.js brings SQLite ${version}; ${OLDEST.join(".")} or later is needed.`,
      });
    }
  }
}

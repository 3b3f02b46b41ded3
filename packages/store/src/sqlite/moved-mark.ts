import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { MarkethookError } from "@markethook/protocol";

/**
 * The mark of a folder whose data went to PostgreSQL. Two services with the same deliveries would send each of them
 * twice. It is written before the move commits: a crash between the two leaves a folder that does not start, and
 * the next run of the move finds out whether the data arrived.
 */
const MARK_FILE = "moved.json";

/** Where the data went and when, in words; null: nowhere. A mark that cannot be read is one, too. */
export function findMoved(folder: string): { to: string; at: string } | null {
  const path = join(folder, MARK_FILE);
  if (!existsSync(path)) return null;
  try {
    const { to, at } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>; // Ours, and only shown.
    return { to: String(to), at: String(at) };
  } catch (error) {
    // Also another user's file, as of a move that root ran.
    const why = error instanceof Error ? error.message : String(error);
    return { to: "PostgreSQL", at: `an unknown time: ${path} cannot be read (${why})` };
  }
}

/**
 * It is on the disk when this returns.
 * @throws `data_dir_unusable`, as on a full disk
 */
export function noteMoved(folder: string, to: string, at: string): void {
  const path = join(folder, MARK_FILE);
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify({ to, at })}\n`, { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
    if (process.platform !== "win32") flushFolder(folder);
  } catch (cause) {
    forgetMoved(folder);
    const why = cause instanceof Error ? cause.message : String(cause);
    const detail = `${path} cannot be written (${why}), so nothing was moved.`;
    throw new MarkethookError("data_dir_unusable", { detail, cause });
  }
}

function flushFolder(folder: string): void {
  const opened = openSync(folder, "r");
  fsyncSync(opened);
  closeSync(opened);
}

export function forgetMoved(folder: string): void {
  rmSync(join(folder, MARK_FILE), { force: true });
}

/**
 * @param to may go on: a move to there that was cut short
 * @throws `moved_to_postgresql`
 */
export function refuseMoved(folder: string, to: string | null): void {
  const moved = findMoved(folder);
  if (moved === null || moved.to === to) return;
  throw new MarkethookError("moved_to_postgresql", {
    detail: `The data of ${folder} went to ${moved.to} at ${moved.at}.`,
  });
}

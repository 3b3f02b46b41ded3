import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from "node:fs";
import type { RejectedLine } from "./check-line.ts";

/** Where rejected lines are written down, a JSON line each. Made at the first. */
export interface RejectedFile {
  readonly path: string;
  append(lines: readonly RejectedLine[]): void;
  /** Its length so far. */
  bytes(): number;
}

/** `keep`: as many bytes of an earlier run belong to what is done; the rest will be written again. */
export function openRejectedFile(path: string, keep: number): RejectedFile {
  if (keep === 0) rmSync(path, { force: true });
  else if (existsSync(path) && statSync(path).size > keep) truncateSync(path, keep);
  return {
    path,
    append(lines) {
      if (lines.length === 0) return;
      appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    },
    bytes: () => (existsSync(path) ? statSync(path).size : 0),
  };
}

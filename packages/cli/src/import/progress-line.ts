import type { Host } from "../program/host.ts";
import { grouped, recordsOf, sumOf, type Tally } from "./tally.ts";

/** How often progress is shown: on a terminal in one line that is overwritten, elsewhere in a new line each time. */
const EVERY_MS = { terminal: 100, plain: 5000 } as const;
const CLEAR = "\r\u001b[K";

export interface ProgressLine {
  /** `size` is null if the input's length is unknown. */
  show(tally: Tally, bytes: number, size: number | null): void;
  /** Clears the line, to make room for other text. */
  clear(): void;
}

export function createProgressLine(
  stderr: Host["stderr"],
  now: () => number,
  begun: { records: number; bytes: number },
): ProgressLine {
  const terminal = stderr.isTTY === true;
  const startedAt = now();
  let shownAt = startedAt;
  let shown = false;
  return {
    show(tally, bytes, size) {
      const at = now();
      if (at - shownAt < (terminal ? EVERY_MS.terminal : EVERY_MS.plain)) return;
      shownAt = at;
      shown = terminal;
      const seconds = (at - startedAt) / 1000;
      const text = progressText(tally, bytes, size, begun, seconds);
      stderr.write(terminal ? `${CLEAR}${text}` : `${text}\n`);
    },
    clear() {
      if (shown) stderr.write(CLEAR);
      shown = false;
    },
  };
}

/** `begun`: records and bytes of an earlier run, which do not count for this run's speed. */
export function progressText(
  tally: Tally,
  bytes: number,
  size: number | null,
  begun: { records: number; bytes: number },
  seconds: number,
): string {
  const records = recordsOf(tally);
  const rejected = sumOf(tally, "rejected");
  const parts = [
    `${grouped(records)} records`,
    `${grouped(Math.round((records - begun.records) / Math.max(seconds, 0.001)))}/s`,
  ];
  if (rejected > 0) parts.push(`${grouped(rejected)} rejected`);
  if (size !== null && size > 0) {
    parts.unshift(`${Math.floor((100 * bytes) / size)} %`);
    const speed = (bytes - begun.bytes) / Math.max(seconds, 0.001);
    if (speed > 0) parts.push(`${remaining((size - bytes) / speed)} left`);
  }
  return parts.join(", ");
}

function remaining(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

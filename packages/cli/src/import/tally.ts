import { table } from "../output/table.ts";
import { KINDS, type RecordKind } from "./json-line.ts";
import type { Host } from "../program/host.ts";

const STATUSES = ["created", "updated", "unchanged", "rejected"] as const;
export type Status = (typeof STATUSES)[number];

/** How many records of each kind came to what. `other`: lines that are no record. */
export type Tally = Record<RecordKind | "other", Record<Status, number>>;

const ROWS = [...KINDS, "other"] as const;
const NAMES: Readonly<Record<keyof Tally, string>> = {
  resource: "resources",
  webhook: "webhooks",
  fileVersion: "file versions",
  firstDownload: "first downloads",
  other: "other lines",
};

export function emptyTally(): Tally {
  const none = () => ({ created: 0, updated: 0, unchanged: 0, rejected: 0 });
  return {
    resource: none(),
    webhook: none(),
    fileVersion: none(),
    firstDownload: none(),
    other: none(),
  };
}

/** One as it was read from a file; null where it is none. */
export function readTally(value: unknown): Tally | null {
  const tally = emptyTally();
  for (const row of ROWS) {
    for (const status of STATUSES) {
      const count = member(member(value, row), status);
      if (!Number.isSafeInteger(count)) return null;
      tally[row][status] = Number(count);
    }
  }
  return tally;
}

export function sumOf(tally: Tally, status: Status): number {
  return ROWS.reduce((sum, row) => sum + tally[row][status], 0);
}

export function recordsOf(tally: Tally): number {
  return STATUSES.reduce((sum, status) => sum + sumOf(tally, status), 0);
}

/** As a table; rows without anything are left out. */
export function tallyText(tally: Tally): string {
  const shown = ROWS.filter((row) => STATUSES.some((status) => tally[row][status] > 0));
  return table(
    ["", ...STATUSES],
    shown.map((row) => [NAMES[row]].concat(STATUSES.map((status) => grouped(tally[row][status])))),
  );
}

export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  // The member was just seen to be there.
  return (value as Record<string, unknown>)[name];
}

/** How often progress is shown: on a terminal in one line that is overwritten, elsewhere in a new line each time. */
const EVERY_MS = { terminal: 100, plain: 5000 } as const;
const CLEAR = "\r\u001b[K";

export function createProgressLine(
  stderr: Host["stderr"],
  now: () => number,
  begun: { records: number; bytes: number },
) {
  const terminal = stderr.isTTY === true;
  const startedAt = now();
  let shownAt = startedAt;
  let shown = false;
  return {
    /** `size` is null if the input's length is unknown. */
    show(tally: Tally, bytes: number, size: number | null): void {
      const at = now();
      if (at - shownAt < (terminal ? EVERY_MS.terminal : EVERY_MS.plain)) return;
      shownAt = at;
      shown = terminal;
      const seconds = (at - startedAt) / 1000;
      const text = progressText(tally, bytes, size, begun, seconds);
      stderr.write(terminal ? `${CLEAR}${text}` : `${text}\n`);
    },
    /** Clears the line, to make room for other text. */
    clear(): void {
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

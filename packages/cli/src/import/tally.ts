import { isObject } from "@markethook/protocol/json-object";
import { table } from "../output/table.ts";
import { KINDS, type RecordKind } from "./json-line.ts";

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
      const counts = isObject(value) ? value[row] : undefined;
      const count = isObject(counts) ? counts[status] : undefined;
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

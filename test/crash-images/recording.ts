import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { compileLibrary } from "../c-library.ts";

const SOURCE = join(import.meta.dirname, "recorder.c");
const HEAD_BYTES = 24;

/** One call of a process, once it has returned. `end`: how long the log is with it. */
export type DiskRecord = { end: number } & (
  | { kind: "named"; file: number; name: string }
  | { kind: "written"; file: number; offset: number; bytes: Buffer }
  | { kind: "resized"; file: number; length: number }
  | { kind: "synced"; file: number }
  | { kind: "removed"; file: number }
  | { kind: "folder synced" }
);

/** Compiles the recorder into the folder. Returns its path, or why this machine cannot. */
export const compileRecorder = (folder: string) =>
  compileLibrary(SOURCE, folder, "recording what is written");

/** The environment in which a process records what it does to this database. */
export const recorded = (library: string, database: string, log: string) => ({
  LD_PRELOAD: library,
  RECORDER_PREFIX: database,
  RECORDER_LOG: log,
});

/** All records of a log, in order. One that was cut off by a kill is left out. */
export function readRecords(log: string): DiskRecord[] {
  const bytes = readFileSync(log);
  const records: DiskRecord[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length) {
    const kind = bytes.readUInt32LE(at);
    const file = bytes.readUInt32LE(at + 4);
    const offset = Number(bytes.readBigUInt64LE(at + 8));
    const from = at + HEAD_BYTES;
    const end = from + Number(bytes.readBigUInt64LE(at + 16));
    if (end > bytes.length) break;
    const data = bytes.subarray(from, end);
    records.push({ end, ...recordOf(kind, file, offset, data) });
    at = end;
  }
  return records;
}

type WithoutEnd<Of> = Of extends DiskRecord ? Omit<Of, "end"> : never;

function recordOf(
  kind: number,
  file: number,
  offset: number,
  bytes: Buffer,
): WithoutEnd<DiskRecord> {
  switch (kind) {
    case 1:
      return { kind: "named", file, name: basename(bytes.toString()) };
    case 2:
      return { kind: "written", file, offset, bytes };
    case 3:
      return { kind: "resized", file, length: offset };
    case 4:
      return { kind: "synced", file };
    case 5:
      return { kind: "removed", file };
    case 6:
      return { kind: "folder synced" };
    default:
      throw new Error(`a record of kind ${kind}`);
  }
}

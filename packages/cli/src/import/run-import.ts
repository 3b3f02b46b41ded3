import { createHash } from "node:crypto";
import { ApiError, createClient, UnreachableError } from "@markethook/client";
import type { Context } from "../program/context.ts";
import { EXIT } from "../program/failure.ts";
import { openTally } from "../output/progress.ts";
import { visible } from "../output/visible-text.ts";
import { readLines, type Source } from "./source.ts";
import { LONGEST_LINE, type RejectedLine } from "./json-line.ts";
import { importLines, type ImportRecords } from "./import-lines.ts";
import {
  checkProgress,
  checkProgressPath,
  type ImportProgress,
  progressPath,
  readProgress,
  removeProgress,
  saveProgress,
} from "./progress-file.ts";
import {
  emptyTally,
  grouped,
  progressText,
  recordsOf,
  sumOf,
  type Tally,
  tallyText,
} from "./tally.ts";
import { openRejectedFile } from "./rejected-file.ts";

export interface ImportOptions {
  url: string;
  key: string;
  dryRun: boolean;
  restart: boolean;
  /** File for rejected lines; null: they are only printed. */
  rejected: string | null;
}

/** A thousand records with a thousand names to look up take their time. */
const TIMEOUT_MS = 120_000;
/** Tries again for long enough that a restarted service is back. A service that has never answered is given up soon. */
const RETRIES = { first: 3, later: 8 } as const;
/** How many rejected lines are printed. All of them are in the file. */
const TOLD = 10;

export async function runImport(
  context: Context,
  source: Source,
  options: ImportOptions,
): Promise<void> {
  const { out } = context;
  const { dryRun } = options;
  const api = options.url.replace(/\/+$/, "").replace(/\/v1$/, "");
  const client = createClient({ baseUrl: api, apiKey: options.key, timeoutMs: TIMEOUT_MS });
  const signal = context.interrupt();
  const savedAt = source.size === null || dryRun ? null : progressPath(source.name);

  const hash = createHash("sha256");
  if (savedAt !== null) checkProgressPath(savedAt);
  const before = savedAt === null || options.restart ? null : readProgress(savedAt);
  if (before !== null) {
    await source.hashStart(hash, before.bytes);
    checkProgress(before, { api, source: source.name, sha256: hash.copy().digest("hex") });
    out.remark(`Going on after line ${grouped(before.line)}, where an earlier run has stopped.`);
  }
  const begun = { line: before?.line ?? 0, bytes: before?.bytes ?? 0 };
  const tally = before?.tally ?? emptyTally();
  const rejectedFile =
    options.rejected === null
      ? null
      : openRejectedFile(
          options.rejected,
          before?.rejectedBytes ?? 0,
          source.size === null ? null : source.name,
        );
  const progressLine = openTally(context);
  const startedAt = context.now();
  const earlier = { records: recordsOf(tally), bytes: begun.bytes };

  let told = 0;
  const tell = (rejected: readonly RejectedLine[]): void => {
    const few = rejectedFile === null ? rejected : rejected.slice(0, TOLD - told);
    if (few.length > 0) progressLine.clear();
    for (const line of few) out.remark(rejectionText(line));
    told += few.length;
  };
  let stored: ImportProgress | null = before;
  let isSent = false;
  try {
    await importLines({
      lines: readLines(source.chunks(begun.bytes, signal), {
        longest: LONGEST_LINE,
        after: begun,
        hash,
      }),
      dryRun,
      tally,
      signal,
      async send(records: ImportRecords) {
        isSent = true;
        const retries = stored === before ? RETRIES.first : RETRIES.later;
        return await client.imports.run(records, { dryRun, retries, signal });
      },
      onBatch({ line, bytes, rejected }) {
        rejectedFile?.append(rejected);
        tell(rejected);
        stored = {
          api,
          size: source.size ?? 0,
          line,
          bytes,
          sha256: hash.copy().digest("hex"),
          rejectedBytes: rejectedFile?.bytes() ?? 0,
          tally,
        };
        if (savedAt !== null) saveProgress(savedAt, stored);
        const seconds = (context.now() - startedAt) / 1000;
        progressLine.show(() => progressText(tally, bytes, source.size, earlier, seconds));
      },
    });
  } catch (error) {
    progressLine.clear();
    out.remark(stoppedText(stored, savedAt !== null, dryRun, !isSent || didNothing(error)));
    if (!signal.aborted) throw error;
    return;
  }
  progressLine.clear();
  if (savedAt !== null) removeProgress(savedAt);
  const rejected = sumOf(tally, "rejected");
  const written = rejected === 0 ? null : (rejectedFile?.path ?? null);
  await out.result(summary(source, dryRun, tally, written), () =>
    summaryText(source, dryRun, tally, written),
  );
  if (rejected > 0) context.exitCode = EXIT.no;
}

function rejectionText({ line, code, pointer, detail }: RejectedLine): string {
  const where = pointer === undefined ? "" : ` ${visible(pointer)}`;
  return `Line ${grouped(line)}${where}: ${visible(detail)} [${visible(code)}]`;
}

/** Of a request: it was refused, or the service could not be reached. */
function didNothing(error: unknown): boolean {
  if (error instanceof UnreachableError) return !error.mayHaveArrived;
  return error instanceof ApiError && error.status < 500;
}

function stoppedText(
  stored: ImportProgress | null,
  saved: boolean,
  dryRun: boolean,
  nothingDone: boolean,
): string {
  if (dryRun) return "Stopped; a dry run changes nothing.";
  if (stored === null) {
    return nothingDone
      ? "Stopped before anything was imported."
      : "Stopped. Some records may be imported; importing them again changes nothing.";
  }
  const line = `Stopped after line ${grouped(stored.line)}`;
  return saved
    ? `${line}. The same command goes on from there.`
    : `${line}. Imported records stay; importing them again changes nothing.`;
}

function summary(source: Source, dryRun: boolean, tally: Tally, rejectedFile: string | null) {
  return {
    source: source.name,
    dryRun,
    records: recordsOf(tally),
    created: sumOf(tally, "created"),
    updated: sumOf(tally, "updated"),
    unchanged: sumOf(tally, "unchanged"),
    rejected: sumOf(tally, "rejected"),
    byKind: tally,
    rejectedFile,
  };
}

function summaryText(
  source: Source,
  dryRun: boolean,
  tally: Tally,
  rejectedFile: string | null,
): string {
  const records = recordsOf(tally);
  const rejected = sumOf(tally, "rejected");
  const of = `${grouped(records)} ${records === 1 ? "record" : "records"} of ${visible(source.name)}`;
  const text = [
    dryRun
      ? `Dry run: nothing was changed. An import would do this with ${of}:`
      : `Imported ${rejected === 0 ? "" : `${grouped(records - rejected)} of `}${of}:`,
    ...(records === 0 ? ["There is nothing in it."] : ["", tallyText(tally)]),
  ];
  if (rejectedFile !== null) {
    text.push("", `Rejected lines, with the reasons, are in ${visible(rejectedFile)}.`);
  }
  return text.join("\n");
}

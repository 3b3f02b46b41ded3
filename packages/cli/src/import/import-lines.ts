import type { Client } from "@markethook/client";
import { LIMITS } from "@markethook/protocol";
import type { SourceLine } from "./source.ts";
import { checkLine, type CheckedLine, LONGEST_LINE, type RejectedLine } from "./json-line.ts";
import type { Tally } from "./tally.ts";

export type ImportRecords = Parameters<Client["imports"]["run"]>[0];
type ImportResults = Awaited<ReturnType<Client["imports"]["run"]>>;

export interface ImportLinesOptions {
  lines: AsyncIterable<SourceLine>;
  dryRun: boolean;
  /** Counted on. */
  tally: Tally;
  send(records: ImportRecords): Promise<ImportResults>;
  /** After each batch: it is stored, and the tally counts it. */
  onBatch(done: { line: number; bytes: number; rejected: readonly RejectedLine[] }): void;
  signal: AbortSignal;
}

/** So that a batch with one more line of any length still fits into a request. */
const FULL_BYTES = LIMITS.batchBytes - LONGEST_LINE - 1024;

/**
 * reading -> (as many lines as a request takes, or the end) sending -> its results are counted and handed on -> reading
 *                                                           sending -> refused as a whole, unreachable, or
 *                                                                      interrupted: thrown; what was handed on is stored
 */
export async function importLines(options: ImportLinesOptions): Promise<void> {
  const { lines, tally, onBatch, signal } = options;
  const interpret = createInterpreter(options.dryRun);
  let batch = emptyBatch();
  const flush = async (): Promise<void> => {
    const { checked, last } = batch;
    if (last === null) return;
    const results = checked.length === 0 ? [] : await options.send(toRecords(checked));
    if (results.length !== checked.length) throw new Error("the service answered fewer results");
    for (const [i, line] of checked.entries()) {
      const outcome = interpret(line, results[i], i);
      tally[line.kind][outcome.status] += 1;
      if (outcome.rejected !== undefined) batch.rejected.push(outcome.rejected);
    }
    batch.rejected.sort((a, b) => a.line - b.line);
    onBatch({ line: last.number, bytes: last.end, rejected: batch.rejected });
    batch = emptyBatch();
  };
  for await (const line of lines) {
    signal.throwIfAborted();
    batch.last = line;
    const checked = checkLine(line);
    if (checked === null) continue;
    if ("code" in checked) {
      batch.rejected.push(checked);
      tally.other.rejected += 1;
    } else {
      batch.checked.push(checked);
      batch.bytes += checked.bytes + 1;
    }
    const count = batch.checked.length + batch.rejected.length;
    if (count >= LIMITS.batchItems || batch.bytes > FULL_BYTES) await flush();
  }
  await flush();
}

function emptyBatch() {
  const last = null as SourceLine | null;
  return { checked: [] as CheckedLine[], bytes: 0, rejected: [] as RejectedLine[], last };
}

function toRecords(lines: readonly CheckedLine[]): ImportRecords {
  // The service checks them, and its refusals are the result.
  return lines.map(({ record }) => record) as unknown as ImportRecords;
}

type Outcome = { status: keyof Tally["resource"]; rejected?: RejectedLine };

/**
 * What a result means. A dry run stores no resources, so the service cannot know those of earlier requests: they are
 * remembered here.
 */
function createInterpreter(dryRun: boolean) {
  const expected = new Set<unknown>();
  return (line: CheckedLine, result: ImportResults[number] | undefined, i: number): Outcome => {
    if (result === undefined) throw new Error("the service answered fewer results");
    if (dryRun && line.kind === "resource" && result.status === "created") {
      expected.add(line.record["id"]);
    }
    if (result.status !== "rejected") return { status: result.status };
    if (result.code === "resource_unknown" && expected.has(line.record["resourceId"])) {
      return { status: "created" };
    }
    const pointer = result.pointer?.replace(`/records/${i}`, "") ?? "";
    const rejected: RejectedLine = {
      line: line.line,
      code: result.code ?? "internal",
      ...(pointer === "" ? {} : { pointer }),
      detail: `${result.title ?? ""} ${result.detail ?? ""}`.trim(),
    };
    return { status: "rejected", rejected };
  };
}

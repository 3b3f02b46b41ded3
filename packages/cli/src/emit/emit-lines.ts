import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import type { Client, EventItem, ItemResult, Tally } from "@markethook/client";
import { LIMITS } from "@markethook/protocol";
import type { Context } from "../program/context.ts";
import { EXIT } from "../program/failure.ts";
import { openTally } from "../output/progress.ts";
import { visible } from "../output/visible-text.ts";
import { type LineFault, readJsonLine } from "../import/json-line.ts";
import { readLines } from "../import/source.ts";

const NOT_KNOWN = "not known to be stored; report again with the same key";
const NOT_SENT = "not sent, because an earlier batch failed";
/** Tries again for long enough that a restarted service is back. A service that has never answered is given up soon. */
const RETRIES = { first: 2, later: 8 } as const;

/** Reports all events of a file, and prints the result of each line. */
export async function emitLines(
  context: Context,
  client: Client,
  { file, batchSize, verbose }: { file: string; batchSize: number; verbose: boolean },
): Promise<void> {
  const { out } = context;
  const signal = context.interrupt();
  const lines = readEventLines(file, context, signal);
  let tally: Tally = { done: 0, accepted: 0, duplicates: 0, rejected: 0, failed: 0 };
  let acceptedKeyless = 0;
  let unsent: Error | null = null;
  const line = openTally(context);
  const unknown = collectFailed(context);
  try {
    const results = client.events.reportEach(lines.events, {
      batchSize,
      signal,
      // Asked at each batch.
      get retries() {
        return tally.done === 0 ? RETRIES.first : RETRIES.later;
      },
      onProgress(now) {
        tally = now;
        line.show(() => tallyText(now));
      },
    });
    for await (const answer of results) {
      const { number, keyless, fault } = lines.next();
      const result = fault === null ? answer : rejection(answer, fault);
      if (keyless && result.status === "accepted") acceptedKeyless += 1;
      if (result.status === "failed" && result.sent) unsent ??= result.error;
      const fine = result.status === "accepted" || result.status === "duplicate";
      if (result.status === "failed" && !out.json && !verbose) {
        unknown.add(number, result.sent);
      } else if (out.json || verbose || !fine) {
        line.clear();
        out.item(resultValue(number, result), () => resultText(number, result));
      }
    }
  } catch (error) {
    line.clear();
    if (!signal.aborted) throw error;
    out.remark(`Stopped. ${tallyText(tally)}. Events that were on their way may be stored too.`);
    return;
  }
  line.clear();
  unknown.print();
  out.remark(`${tallyText(tally)}.`);
  if (acceptedKeyless > 0) {
    out.remark(
      `${acceptedKeyless} accepted without an idempotencyKey: reporting them again would send them again.`,
    );
  }
  if (tally.rejected > 0) context.exitCode = EXIT.no;
  if (unsent !== null) throw unsent;
}

/** Lines that failed, told together: there may be thousands, and all of them follow one another. */
function collectFailed({ out }: Context) {
  const sent: number[] = [];
  const unsent: number[] = [];
  const tell = (numbers: readonly number[], text: string): void => {
    const [first] = numbers;
    const last = numbers.at(-1);
    const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
    if (first !== undefined) out.item(null, () => `${lines}: ${text}`);
  };
  return {
    add: (number: number, isSent: boolean) => void (isSent ? sent : unsent).push(number),
    print(): void {
      tell(sent, NOT_KNOWN);
      tell(unsent, NOT_SENT);
    },
  };
}

function tallyText({ done, accepted, duplicates, rejected, failed }: Tally): string {
  const bad = failed === 0 ? "" : `, ${failed} failed`;
  return `${done} events: ${accepted} accepted, ${duplicates} duplicates, ${rejected} rejected${bad}`;
}

/** The fault that was found in the line, in place of the client's result. */
function rejection({ index }: ItemResult, fault: LineFault): ItemResult {
  const { pointer = null, ...told } = fault;
  return { index, idempotencyKey: null, status: "rejected", ...told, pointer };
}

function resultValue(line: number, { index: _index, ...result }: ItemResult): object {
  if (result.status !== "failed") return { line, ...result };
  const { error, ...rest } = result;
  return { line, ...rest, error: error.message };
}

function resultText(line: number, result: ItemResult): string {
  switch (result.status) {
    case "accepted":
      return `line ${line}: accepted ${visible(result.eventId)}, for ${result.deliveries} webhooks`;
    case "duplicate":
      return `line ${line}: duplicate of ${visible(result.eventId)}`;
    case "rejected": {
      const where = result.pointer === null ? "" : ` at ${visible(result.pointer)}`;
      return `line ${line}: rejected${where}. ${visible(result.title)} ${visible(result.detail)} [${visible(result.code)}]`;
    }
    case "failed":
      return `line ${line}: ${result.sent ? NOT_KNOWN : NOT_SENT}`;
  }
}

/** Where an event of the input comes from. */
interface EventLine {
  /** From 1. */
  number: number;
  /** Whether the event has no idempotency key of its own. */
  keyless: boolean;
  /** Why the line is no event, if that is known before the service says so. */
  fault: LineFault | null;
}

/** Reads events from a file, or from standard input (`-`). The signal also ends the wait for more input. */
function readEventLines(file: string, { stdin }: Pick<Context, "stdin">, signal: AbortSignal) {
  const lines: EventLine[] = [];

  async function* events(): AsyncGenerator<EventItem, void, undefined> {
    const input = addAbortSignal(signal, file === "-" ? stdin() : createReadStream(file));
    for await (const line of readLines(input, { longest: LIMITS.batchBytes })) {
      const read = readJsonLine(line);
      if (read === null) continue;
      const { number } = line;
      if ("value" in read) {
        // The client rejects a value that is no object; the service checks the rest.
        const event = read.value as EventItem;
        const keyless = (event as EventItem | null)?.idempotencyKey === undefined;
        lines.push({ number, keyless, fault: null });
        yield event;
      } else {
        lines.push({ number, keyless: false, fault: read });
        yield undefined as unknown as EventItem;
      }
    }
  }

  return {
    /** Lines that cannot be sent come as undefined, which the client refuses in their place. */
    events: events(),
    /** Returns the line of the next event, in the order of `events`. */
    next: (): EventLine => lines.shift() ?? { number: 0, keyless: false, fault: null },
  };
}

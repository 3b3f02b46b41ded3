import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import type { EventItem } from "@markethook/client";
import { LIMITS } from "@markethook/protocol";
import { type LineFault, readJsonLine } from "../import/json-line.ts";
import { readLines } from "../import/source-lines.ts";
import type { Context } from "../program/context.ts";

/** Where an event of the input comes from. */
interface EventLine {
  /** From 1. */
  number: number;
  /** It names no idempotency key of its own. */
  keyless: boolean;
  /** Why it is no event, where that is known already. */
  fault: LineFault | null;
}

export interface EventLines {
  /** What cannot be sent comes as undefined, which is refused in its place. */
  events: AsyncIterable<EventItem>;
  /** The line of the first event that was not asked about yet. */
  next(): EventLine;
}

/** The signal ends also the wait for more input. */
export function readEventLines(
  file: string,
  { stdin }: Pick<Context, "stdin">,
  signal: AbortSignal,
): EventLines {
  const lines: EventLine[] = [];

  async function* events(): AsyncGenerator<EventItem, void, undefined> {
    const input = addAbortSignal(signal, file === "-" ? stdin() : createReadStream(file));
    for await (const line of readLines(input, { longest: LIMITS.batchBytes })) {
      const read = readJsonLine(line);
      if (read === null) continue;
      const { number } = line;
      if ("value" in read) {
        // The client takes what is no event, and tells so in its place. The service judges what is in it.
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
    events: events(),
    next: () => lines.shift() ?? { number: 0, keyless: false, fault: null },
  };
}

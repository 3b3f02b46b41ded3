import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { EventItem } from "@markethook/client";
import type { Context } from "../program/context.ts";

/** Where an event of the input comes from. */
interface EventLine {
  /** From 1. */
  number: number;
  /** It names no idempotency key of its own. */
  keyless: boolean;
}

export interface EventLines {
  /** What is no JSON comes as undefined, which is refused in its place. */
  events: AsyncIterable<EventItem>;
  /** The line of the first event that was not asked about yet. */
  next(): EventLine;
}

export function readEventLines(file: string, { stdin }: Pick<Context, "stdin">): EventLines {
  const lines: EventLine[] = [];

  async function* events(): AsyncGenerator<EventItem, void, undefined> {
    const input = file === "-" ? stdin() : createReadStream(file);
    let number = 0;
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number += 1;
      if (line.trim() === "") continue;
      const event = parse(line);
      lines.push({ number, keyless: event?.idempotencyKey === undefined });
      // The client takes what is no event, and tells so in its place.
      yield event as EventItem;
    }
  }

  return { events: events(), next: () => lines.shift() ?? { number: 0, keyless: false } };
}

function parse(line: string): Partial<EventItem> | null | undefined {
  try {
    return JSON.parse(line) as Partial<EventItem> | null; // The service judges what is in it.
  } catch {
    return undefined;
  }
}

import type { Readable } from "node:stream";
import { MarkethookError } from "@markethook/protocol";
import type { BodyBudget, BodySender } from "./body-budget.ts";

/** First buffer for a body in many small pieces; it doubles when full. */
const FIRST_BYTES = 4096;
const NOTHING = Buffer.alloc(0);

interface Collected {
  budget: BodyBudget;
  sender: BodySender;
  limit: number;
  /** Length from its header; null: chunked. */
  length: number | null;
}

/**
 * Reads a body into one piece of memory, which the budget counts. A list of small pieces would take hundreds of bytes
 * for each. `done` is called once, with bytes that are valid until it returns.
 */
export function collectBody(
  stream: Readable,
  { budget, sender, limit, length }: Collected,
  done: (error: Error | null, body: Buffer) => void,
): void {
  let memory: Buffer = NOTHING;
  let received = 0;
  let taken = 0;

  function take(bytes: number): void {
    budget.take(sender, bytes);
    taken += bytes;
  }

  /** A single piece is kept as it is: most bodies come in one. */
  function keep(chunk: Buffer): void {
    if (received + chunk.length > limit) throw new MarkethookError("body_too_large");
    if (received === 0) {
      take(chunk.length);
      memory = chunk;
    } else {
      if (received + chunk.length > memory.length) grow(received + chunk.length);
      chunk.copy(memory, received);
    }
    received += chunk.length;
  }

  function grow(least: number): void {
    const most = Math.min(limit, length ?? limit);
    const size = Math.max(least, Math.min(most, Math.max(FIRST_BYTES, 2 * memory.length)));
    take(size);
    const larger = Buffer.allocUnsafeSlow(size);
    memory.copy(larger, 0, 0, received);
    const before = memory.length;
    memory = larger;
    budget.give(sender, before);
    taken -= before;
  }

  function finish(error: Error | null): void {
    stream.removeListener("data", onData);
    stream.removeListener("end", onEnd);
    stream.removeListener("error", finish);
    stream.removeListener("close", onClose);
    try {
      done(error, error === null ? memory.subarray(0, received) : NOTHING);
    } finally {
      budget.give(sender, taken);
      memory = NOTHING;
    }
  }

  function onData(chunk: Buffer): void {
    try {
      keep(chunk);
    } catch (error) {
      finish(error instanceof Error ? error : new Error("a body was not kept", { cause: error }));
    }
  }

  function onEnd(): void {
    if (length !== null && length !== received) onClose();
    else finish(null);
  }

  function onClose(): void {
    finish(new MarkethookError("request_malformed", { detail: "The body ended early." }));
  }

  // The client left while its key was looked up; no event would follow.
  if (stream.destroyed) return onClose();
  stream.on("data", onData);
  stream.once("end", onEnd);
  stream.once("error", finish);
  stream.once("close", onClose);
}

import { createReadStream, statSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import type { Hash } from "node:crypto";
import type { Context } from "../program/context.ts";

/** The source of records: a file, with which an import can continue after a stop, or a stream, with which it cannot. */
export interface Source {
  /** As it is printed. */
  name: string;
  /** In bytes; null for a stream. */
  size: number | null;
  /** Adds the first `bytes` to the hash. */
  hashStart(hash: Hash, bytes: number): Promise<void>;
  /** The chunks from this byte on. The signal also ends the wait for more. */
  chunks(from: number, signal: AbortSignal): AsyncIterable<Buffer>;
}

/** `-` is standard input. @throws where there is no such file. */
export function openSource(file: string, { stdin }: Pick<Context, "stdin">): Source {
  if (file === "-") return stream("standard input", () => stdin());
  const stat = statSync(file);
  // A pipe with a name; a folder is refused when it is read.
  if (!stat.isFile()) return stream(file, () => createReadStream(file));
  return {
    name: file,
    size: stat.size,
    async hashStart(hash, bytes) {
      if (bytes === 0) return;
      for await (const chunk of createReadStream(file, { end: bytes - 1 })) hash.update(chunk);
    },
    chunks: (from, signal) => createReadStream(file, { start: from, signal }),
  };
}

function stream(name: string, open: () => Readable): Source {
  return {
    name,
    size: null,
    hashStart: async () => undefined,
    chunks: (_from, signal) => addAbortSignal(signal, open()),
  };
}

export interface SourceLine {
  /** Counted from 1. */
  number: number;
  /** With what ends it; null: it is too long. */
  bytes: Buffer | null;
  /** Where it ends in the source, in bytes, its line end included. */
  end: number;
}

const LINE_FEED = 10;

interface LinesOptions {
  /** Bytes of the longest line; what is longer is not kept in memory. */
  longest: number;
  /** Where the chunks begin. Default: at the first line. */
  after?: { line: number; bytes: number };
  /** Has seen exactly what has been yielded. */
  hash?: Hash;
}

/** Lines of a stream of any length, one in memory at a time. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  { longest, after = { line: 0, bytes: 0 }, hash }: LinesOptions,
): AsyncGenerator<SourceLine, void, undefined> {
  let { line: number, bytes: end } = after;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer): void => {
    hash?.update(piece);
    end += piece.length;
    length += piece.length;
    if (length <= longest) parts.push(piece);
    else parts = [];
  };
  const finish = (): SourceLine => {
    number += 1;
    const bytes = length <= longest ? Buffer.concat(parts) : null;
    parts = [];
    length = 0;
    return { number, bytes, end };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, at + 1));
      from = at + 1;
      yield finish();
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (length > 0) yield finish();
}

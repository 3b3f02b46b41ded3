import type { Hash } from "node:crypto";

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

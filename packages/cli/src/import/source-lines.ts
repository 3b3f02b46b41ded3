import type { Hash } from "node:crypto";

/** Longer than any record can be; what is longer is not kept in memory. */
export const LONGEST_LINE = 256 * 1024;

export interface SourceLine {
  /** Counted from 1. */
  number: number;
  /** Without what ends it; null: it is too long to be a record. */
  bytes: Buffer | null;
  /** Where it ends in the source, in bytes, its line end included. */
  end: number;
}

const LINE_FEED = 10;

/** Lines of a stream of any length, one in memory at a time. `hash` has seen exactly what has been yielded. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  hash: Hash,
  after: { line: number; bytes: number },
): AsyncGenerator<SourceLine, void, undefined> {
  let { line: number, bytes: end } = after;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer): void => {
    hash.update(piece);
    end += piece.length;
    length += piece.length;
    if (length <= LONGEST_LINE) parts.push(piece);
    else parts = [];
  };
  const finish = (): SourceLine => {
    number += 1;
    const bytes = length <= LONGEST_LINE ? Buffer.concat(parts) : null;
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

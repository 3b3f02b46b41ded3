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

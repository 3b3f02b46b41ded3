import { createReadStream, statSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import type { Hash } from "node:crypto";
import type { Context } from "../program/context.ts";

/** Where records come from: a file, which can be gone on with, or a stream, which cannot. */
export interface Source {
  /** For people. */
  name: string;
  /** In bytes; null for a stream. */
  size: number | null;
  /** Adds the first `bytes` to the hash. */
  hashStart(hash: Hash, bytes: number): Promise<void>;
  /** Waits for more until the signal ends it. */
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

import type { Worker } from "node:worker_threads";
import type { RenderedRequest } from "@markethook/protocol";
import type { RequestOwner } from "../exchange.ts";
import type { Sender, SenderOptions } from "../sender.ts";
import type { RightToWrite } from "./right-to-write.ts";
import { SenderThread } from "./thread.ts";

export interface ThreadedSenderOptions extends Omit<SenderOptions, "resolver"> {
  threads: number;
  right: RightToWrite;
  died?(error: Error): void;
  started?(worker: Worker): void;
}

/**
 * The sender with so many threads behind it. A host always goes to the same one, so that its connections, its TLS
 * sessions and what is known of it are in one place.
 */
export function createThreadedSender(options: ThreadedSenderOptions): Sender {
  const { threads: count, right, now, allow, blockedPorts, died, started, ...rest } = options;
  const settings = {
    ...rest,
    maxSockets: Math.max(1, Math.floor((options.maxSockets ?? 1000) / count)),
    tlsSessionBytes: Math.floor((options.tlsSessionBytes ?? 32 * 1024 * 1024) / count),
    allow: { entries: allow.entries, exclusive: allow.exclusive ?? false },
    blockedPorts: [...blockedPorts],
    right: right.memory,
  };
  const threads = Array.from(
    { length: count },
    () =>
      new SenderThread({
        settings,
        now,
        ...(died === undefined ? {} : { died }),
        ...(started === undefined ? {} : { started }),
      }),
  );

  function start(request: RenderedRequest, owner: RequestOwner): void {
    const thread = threads[placeOf(request.url) % count];
    if (thread === undefined) throw new RangeError("no threads");
    thread.start(request, owner);
  }

  return {
    send: (request, mayWrite, rules) =>
      new Promise((ended) => start(request, { mayWrite, ended, ...rules })),
    start,
    openSockets: () => threads.reduce((sum, { openSockets }) => sum + openSockets, 0),
    close() {
      for (const thread of threads) thread.close();
    },
  };
}

/** FNV-1a over scheme, host and port, which end at the third slash. */
function placeOf(url: string): number {
  const end = url.indexOf("/", url.indexOf("//") + 2);
  let hash = 0x811c9dc5;
  for (let at = 0; at < (end === -1 ? url.length : end); at += 1) {
    hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash;
}

import { given } from "@markethook/protocol";
import type { Sender, SenderOptions } from "../sender.ts";
import { SocketCount } from "../socket-count.ts";
import { RightToWrite } from "./right-to-write.ts";
import { type Job, SenderThread, type ThreadOptions } from "./thread.ts";

export interface ThreadedSenderOptions
  extends
    Omit<SenderOptions, "resolver" | "sockets">,
    Pick<ThreadOptions, "died" | "started" | "ledElsewhere" | "longestWaitMs"> {
  threads: number;
  wallNow: () => number;
}

const TLS_SESSION_BYTES = 32 * 1024 * 1024;

/**
 * A sender with a number of threads behind it. A host always goes to the same thread, so that its connections, its TLS
 * sessions and the knowledge about it are in one place. All threads share one limit of open sockets; memory for TLS
 * sessions is divided evenly.
 */
export function createThreadedSender(options: ThreadedSenderOptions): Sender {
  const {
    threads: count,
    now,
    wallNow,
    allow,
    blockedPorts,
    died,
    started,
    ledElsewhere,
    longestWaitMs,
    ...rest
  } = options;
  const right = new RightToWrite({ wallNow });
  const sockets = SocketCount.memoryFor(count);
  const settings = {
    ...rest,
    tlsSessionBytes: Math.floor((options.tlsSessionBytes ?? TLS_SESSION_BYTES) / count),
    allow: { entries: allow.entries, exclusive: allow.exclusive ?? false },
    blockedPorts: [...blockedPorts],
    right: right.memory,
    sockets,
  };
  const threads = Array.from(
    { length: count },
    (_, index) =>
      new SenderThread({
        settings: { ...settings, index },
        now,
        ...given({ died, started, ledElsewhere, longestWaitMs }),
      }),
  );
  const total = new SocketCount(sockets);
  let closed = false;

  function start(job: Job): void {
    const origin = originOf(job.kind === "sign" ? job.request.webhook.url : job.request.url);
    const thread = threads[hashOf(origin) % count];
    if (thread === undefined) throw new RangeError("no threads");
    thread.start(job, origin);
  }

  return {
    send: (request, mayWrite, rules) =>
      new Promise((ended) => {
        start({ kind: "send", request, owner: { mayWrite, ended, ...rules } });
      }),
    start: (request, owner) => start({ kind: "send", request, owner }),
    startSigned: (request, owner) => start({ kind: "sign", request, owner }),
    openSockets: () => (closed ? 0 : total.all),
    threads: () => threads.filter(({ running }) => running).length,
    right,
    close() {
      closed = true;
      for (const thread of threads) thread.close();
    },
  };
}

/** Scheme, host and port, which end at the third slash. */
function originOf(url: string): string {
  const end = url.indexOf("/", url.indexOf("//") + 2);
  return end === -1 ? url : url.slice(0, end);
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash;
}

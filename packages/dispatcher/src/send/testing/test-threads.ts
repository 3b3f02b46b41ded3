import type { TestContext } from "node:test";
import type { Worker } from "node:worker_threads";

import { parseAllowList } from "../../guard/allow-list.ts";
import type { Sender } from "../sender.ts";
import type { ThreadEnd } from "../threads/thread.ts";
import { createThreadedSender, type ThreadedSenderOptions } from "../threads/threaded-sender.ts";
import { createAuthority } from "./certificate.ts";
import { NEVER_OVER_MS } from "./test-sender.ts";

const authority = createAuthority("Trusted");
/** Of receivers on this machine. */
export const certificate = authority.issue({ names: ["127.0.0.1"] });

export interface Started {
  sender: Sender;
  /** All threads that were started so far. */
  workers: Worker[];
  /** Settles once the thread that was started last has ended. */
  exit(): Promise<void>;
  deaths: ThreadEnd[];
}

/** A sender with threads, one unless otherwise said. Closed with the test. */
export function startThreads(
  t: TestContext,
  options: Partial<ThreadedSenderOptions> = {},
): Started {
  const workers: Worker[] = [];
  const exits: Promise<void>[] = [];
  const deaths: ThreadEnd[] = [];
  const sender = createThreadedSender({
    threads: 1,
    wallNow: Date.now,
    now: () => performance.now(),
    attemptTimeoutMs: NEVER_OVER_MS,
    allow: parseAllowList("127.0.0.0/8"),
    blockedPorts: new Set(),
    ca: authority.cert,
    ...options,
    started(worker) {
      workers.push(worker);
      exits.push(new Promise((resolve) => worker.once("exit", () => resolve())));
      options.started?.(worker);
    },
    died: (end) => void deaths.push(end),
  });
  t.after(() => sender.close());
  return { sender, workers, deaths, exit: async () => await exits.at(-1) };
}

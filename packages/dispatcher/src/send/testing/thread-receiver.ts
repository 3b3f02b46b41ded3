import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { createServer, type TLSSocket } from "node:tls";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

import type { Certificate } from "./certificate.ts";

/** A TLS receiver in a thread of its own, so that it can reply while the sender's thread stands still. */
export interface ThreadReceiver {
  url: string;
  /** Blocks this thread until that many replies in all are with the operating system. */
  waitForReplies(count: number): void;
  /** Connections accepted so far. */
  connections(): number;
}

interface ThreadData {
  certificate: Certificate;
  /** For each request what is written, one after the other; null ends the connection. Further requests get the last. */
  replies: (string | null)[][];
  counts: Int32Array;
}

/** Places in `counts`. */
const REPLIES = 0;
const CONNECTIONS = 1;
const TOO_LONG_MS = 20_000;

if (!isMainThread && parentPort !== null) receive(workerData as ThreadData);

/** Ends with the test. */
export async function startThreadReceiver(
  t: TestContext,
  certificate: Certificate,
  replies: ThreadData["replies"],
): Promise<ThreadReceiver> {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const data: ThreadData = { certificate, replies, counts };
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  t.after(() => worker.terminate());
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return {
    url: `https://127.0.0.1:${port}/hook`,
    waitForReplies(count) {
      for (;;) {
        const replies = Atomics.load(counts, REPLIES);
        if (replies >= count) return;
        if (Atomics.wait(counts, REPLIES, replies, TOO_LONG_MS) === "timed-out") {
          throw new Error(`${replies} of ${count} replies`);
        }
      }
    },
    connections: () => Atomics.load(counts, CONNECTIONS),
  };
}

function receive({ certificate, replies, counts }: ThreadData): void {
  const server = createServer(certificate, (socket: TLSSocket) => {
    Atomics.add(counts, CONNECTIONS, 1);
    // Otherwise the system would hold back the second write until the first was acknowledged.
    socket.setNoDelay(true);
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      // Tests post bodies that end so, and nothing else that does.
      if (!text.endsWith("}")) return;
      text = "";
      const at = Atomics.load(counts, REPLIES);
      void write(socket, replies[at] ?? replies.at(-1) ?? []).then(() => {
        Atomics.add(counts, REPLIES, 1);
        Atomics.notify(counts, REPLIES);
      });
    });
  });
  server.listen(0, "127.0.0.1", () => {
    // A TCP server's address is never a path.
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}

async function write(socket: TLSSocket, reply: readonly (string | null)[]): Promise<void> {
  for (const part of reply) {
    await new Promise<void>((resolve) => {
      if (part === null) socket.end(resolve);
      else socket.write(part, () => resolve());
    });
  }
}

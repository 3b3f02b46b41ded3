import { createServer, type IncomingHttpHeaders } from "node:http";
import { listenOnLoopback } from "@markethook/protocol/testing";

interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface AnsweringReceiver {
  url: string;
  port: number;
  /** Of the answers from now on. */
  status: number;
  text: string;
  type: string;
  /** Besides the type. */
  headers: Record<string, string>;
  /** Replies wait for it; null: for nothing. */
  gate: Promise<unknown> | null;
  requests: ReceivedRequest[];
  /** Resolves when that many requests in all have been answered. */
  answered(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Keeps what it gets, and answers as the test says. */
export async function startAnsweringReceiver(): Promise<AnsweringReceiver> {
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    const reply = (): void => {
      response
        .writeHead(receiver.status, { "content-type": receiver.type, ...receiver.headers })
        .end(receiver.text);
      receiver.requests.push({
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      for (const { count, resolve } of waiting) if (receiver.requests.length >= count) resolve();
      waiting = waiting.filter(({ count }) => receiver.requests.length < count);
    };
    request.on("end", () => {
      if (receiver.gate === null) reply();
      else void receiver.gate.then(reply);
    });
  });
  const port = await listenOnLoopback(server);
  const receiver: AnsweringReceiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    status: 200,
    text: "ok",
    type: "text/plain",
    headers: {},
    gate: null,
    requests: [],
    async answered(count) {
      if (receiver.requests.length >= count) return;
      await new Promise<void>((resolve) => waiting.push({ count, resolve }));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

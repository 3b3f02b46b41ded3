import { createServer, type Socket } from "node:net";
import { listenOnLoopback } from "@markethook/protocol/testing";

export interface CapturingReceiver {
  url: string;
  /** Whole requests as raw bytes, in order of arrival. */
  requests: Buffer[];
  /** Resolves when so many have arrived in all. */
  arrived(count: number): Promise<void>;
  /** The status of the next answers; 204 when used up. */
  answers: number[];
  close(): Promise<void>;
}

/** Reads bytes off the socket and answers by hand: nothing parses or normalises what is compared. */
export async function startCapturingReceiver(): Promise<CapturingReceiver> {
  const sockets = new Set<Socket>();
  let wake: () => void = () => {};
  const receiver: CapturingReceiver = {
    url: "",
    requests: [],
    answers: [],
    async arrived(count) {
      while (receiver.requests.length < count)
        await new Promise<void>((resolve) => (wake = resolve));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    let pending = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (let end = wholeRequest(pending); end > 0; end = wholeRequest(pending)) {
        receiver.requests.push(pending.subarray(0, end));
        pending = pending.subarray(end);
        const status = receiver.answers.shift() ?? 204;
        socket.write(
          status === 204
            ? "HTTP/1.1 204 No Content\r\n\r\n"
            : `HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\nno`,
        );
        wake();
      }
    });
  });
  receiver.url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return receiver;
}

/** Where the first request ends; 0 while it is incomplete. */
function wholeRequest(bytes: Buffer): number {
  const head = bytes.indexOf("\r\n\r\n");
  if (head === -1) return 0;
  const length = /\r\nContent-Length: (\d+)\r\n/.exec(bytes.toString("latin1", 0, head + 2))?.[1];
  if (length === undefined) throw new Error("no Content-Length");
  const end = head + 4 + Number(length);
  return bytes.length >= end ? end : 0;
}

import { connect, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";

export interface ConnectProxy {
  port: number;
  /** The heads of all requests, in order. */
  heads: string[];
}

/** A proxy that takes CONNECT and does as it is told, unless `answer` answers something else. Closed with the test. */
export async function startConnectProxy(
  t: TestContext,
  answer?: (socket: Socket) => void,
): Promise<ConnectProxy> {
  const heads: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      const head = bytes.toString("latin1");
      heads.push(head);
      if (answer !== undefined) return answer(socket);
      const [, host = "", port] = /^CONNECT \[?([^\] ]+?)\]?:(\d+) /.exec(head) ?? [];
      const onward = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      sockets.push(onward);
      onward.on("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    });
  });
  const port = await listenOnLoopback(server);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port, heads };
}

import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import type { TestContext } from "node:test";

/** Called for each whole request with the socket it came on; writes whatever the test wants. */
export type Answer = (socket: Socket, request: string, count: number) => void;

export interface RawReceiver {
  port: number;
  url: string;
  /** Whole requests in order of arrival. */
  requests: string[];
  /** Connections accepted so far. */
  sockets: Socket[];
  /** Settles once that many requests have arrived whole. */
  arrived(count: number): Promise<void>;
  /** Settles once that many connections are closed on this side. */
  closed(count: number): Promise<void>;
}

export interface RawReceiverOptions {
  host?: string;
  /** Left out: any free one. */
  port?: number;
  tls?: TlsOptions;
  onConnection?: (socket: Socket) => void;
}

/** A receiver without an HTTP server, so that it can break every rule. Closed with the test. */
export async function startRawReceiver(
  t: TestContext,
  answer: Answer,
  options: RawReceiverOptions = {},
): Promise<RawReceiver> {
  const host = options.host ?? "127.0.0.1";
  const requests: string[] = [];
  const sockets: Socket[] = [];
  const arrivals = counter();
  const closings = counter();
  const accept = (socket: Socket): void => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("close", () => closings.add());
    options.onConnection?.(socket);
    let text = "";
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      for (let size = requestSize(text); size !== null; size = requestSize(text)) {
        const request = text.slice(0, size);
        text = text.slice(size);
        requests.push(Buffer.from(request, "latin1").toString());
        answer(socket, request, requests.length);
        arrivals.add();
      }
    });
  };
  const server: Server =
    options.tls === undefined ? createServer(accept) : createTlsServer(options.tls, accept);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, host, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // listen() on a port gives this form, never a pipe's name
  const { port } = server.address() as AddressInfo;
  const scheme = options.tls === undefined ? "http" : "https";
  return {
    port,
    url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}/hook?from=test`,
    requests,
    sockets,
    arrived: arrivals.reached,
    closed: closings.reached,
  };
}

/** An answer that always writes the same and keeps the connection. */
export function always(text: string | Buffer): Answer {
  return (socket) => socket.write(text);
}

export function ok(body = "ok"): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function requestSize(text: string): number | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const size = headEnd + 4 + Number(/^content-length: (\d+)\r$/im.exec(text)?.[1] ?? 0);
  return text.length >= size ? size : null;
}

function counter(): { add: () => void; reached: (count: number) => Promise<void> } {
  let value = 0;
  let waiting: { count: number; resolve: () => void }[] = [];
  return {
    add() {
      value += 1;
      for (const waiter of waiting) if (waiter.count <= value) waiter.resolve();
      waiting = waiting.filter((waiter) => waiter.count > value);
    },
    reached: (count) =>
      new Promise((resolve) => {
        if (value >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

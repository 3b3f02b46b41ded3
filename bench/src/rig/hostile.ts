import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { createAuthority } from "../../../packages/dispatcher/src/send/testing/certificate.ts";
import { serveCalls } from "./calls.ts";

/** Receivers that break every rule, a port for each kind, on all addresses of loopback. */
const HEAD = "HTTP/1.1 200 OK\r\n";
const BLOCK = 16_384;

const KINDS: Readonly<Record<string, (socket: Socket) => void>> = {
  "R1 closes": (socket) => socket.end(),
  "R1 resets": (socket) => socket.resetAndDestroy(),
  "R1 half an answer": (socket) => socket.end(`${HEAD}Content-Length: 100\r\n\r\nhalf`),
  "R2 never answers": () => {},
  "R2 drips headers": (socket) => drip(socket, "X: y\r\n", HEAD),
  "R2 drips a body": (socket) => drip(socket, "x", `${HEAD}Content-Length: 99999\r\n\r\n`),
  "R3 redirects": (socket) => {
    socket.end("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");
  },
  "R4 floods interim answers": (socket) => flood(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"),
  "R5 endless body": (socket) => flood(socket, "x".repeat(1000), `${HEAD}\r\n`),
  "R5 endless chunk extension": (socket) => {
    flood(socket, "x".repeat(1000), `${HEAD}Transfer-Encoding: chunked\r\n\r\n5;`);
  },
  "R6 compressed bomb": (socket) => {
    socket.write(`${HEAD}Content-Encoding: gzip, gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`);
    socket.end(BOMB);
  },
  "R7 endless headers": (socket) => flood(socket, "X: y\r\n", HEAD),
  "R8 no HTTP": (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"),
  "R12 asks to wait": (socket) => {
    socket.end("HTTP/1.1 429 Slow\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n");
  },
};
const BOMB = gzipSync(gzipSync(Buffer.alloc(5_000_000)));

const calls = {
  /** Answers where each kind is found, as the beginning of a URL whose host is left out. */
  async listen(): Promise<Place[]> {
    const places: Place[] = [];
    for (const [kind, answer] of Object.entries(KINDS)) {
      const port = await listenOn(createServer((socket) => serve(socket, answer)));
      places.push({ kind, scheme: "http", port });
    }
    const stranger = createAuthority("Stranger").issue({ names: ["127.0.0.1"] });
    const untrusted = createTlsServer(stranger, (socket) => socket.destroy());
    untrusted.on("tlsClientError", () => {});
    places.push({ kind: "R9 unknown authority", scheme: "https", port: await listenOn(untrusted) });
    const stalls = createServer((socket) => socket.on("error", () => {}));
    places.push({ kind: "R9 stalls the handshake", scheme: "https", port: await listenOn(stalls) });
    const closed = createServer();
    places.push({ kind: "R1 refuses", scheme: "http", port: await listenOn(closed) });
    closed.close();
    return places;
  },
};

export type HostileCalls = typeof calls;

export interface Place {
  kind: string;
  scheme: "http" | "https";
  port: number;
}

function serve(socket: Socket, answer: (socket: Socket) => void): void {
  socket.on("error", () => socket.destroy());
  socket.once("data", () => answer(socket));
}

/** As fast as the other side reads, until it hangs up. */
function flood(socket: Socket, piece: string, first = ""): void {
  const block = piece.repeat(Math.ceil(BLOCK / piece.length));
  const pour = (): void => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on("drain", pour);
  socket.write(first);
  pour();
}

function drip(socket: Socket, text: string, first: string): void {
  let at = 0;
  socket.write(first);
  const timer = setInterval(() => {
    socket.write(text.charAt(at % text.length));
    at += 1;
  }, 100);
  socket.on("close", () => clearInterval(timer));
}

async function listenOn(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "0.0.0.0", port: 0, backlog: 1024 }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

serveCalls(calls);

import { createHmac, randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import { receiverAddress } from "./addresses.ts";
import { serveCalls } from "./calls.ts";
import { clock } from "./clock.ts";

/**
 * All receivers of a run in one process: one address of the loopback range per receiver, one port. As cheap as can
 * be, because it shares the machine with what is measured, but it reads each request whole, verifies its signature
 * and tells repeats from firsts.
 */
const ANSWER = answer("");
const FAILURE = Buffer.from("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
const REFUSAL = Buffer.from("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");

let secret = "";
let hanging: ReadonlySet<string> = new Set();
let failing: ReadonlySet<string> = new Set();
let seen = new Set<string>();
/** Arrival of each request in milliseconds of the machine's monotonic clock, when asked for. */
let arrivals: Arrival[] | null = null;
let requests = 0;
let invalid = 0;
let lastAt = 0;
let wanted = 0;
let reached: (() => void) | null = null;
let connections = 0;
let resumed = 0;
let reply: Buffer = ANSWER;
let delayMs = 0;
let closes = false;
let resumes = true;
/** Behind all ports with https: ten thousand of their own would take ten thousand contexts. */
let secureServer: TlsServer | null = null;
const servers: Server[] = [];
const sockets = new Set<Socket>();

const calls = {
  /** Listens on 127.1.x.y for x.y up to `addresses`; answers the port. With a certificate: for https. */
  async listen({ addresses, certificate }: Listening): Promise<number> {
    let port = 0;
    for (let index = 0; index < addresses; index += 1) {
      port = await listenOn(receiverAddress(index), port, certificate);
    }
    return port;
  },
  /** No longer at these ports; open connections stay. */
  stopListening({ ports }: { ports: readonly number[] }): void {
    for (const server of servers) {
      const address = server.address();
      if (address === null || typeof address === "string") continue;
      if (ports.includes(address.port)) server.close();
    }
  },
  /** How requests are answered from now on. */
  behave(manners: Manners): void {
    ({ delayMs, closes, resumes } = manners);
    const { announcedSeconds } = manners;
    const keeps = announcedSeconds === null ? "" : `Keep-Alive: timeout=${announcedSeconds}\r\n`;
    reply = answer(closes ? "Connection: close\r\n" : keeps);
  },
  /** Of all ports, since the start. */
  connections: (): { opened: number; resumed: number } => ({ opened: connections, resumed }),
  /** Closes what is open: two services with many owners would keep more connections than a process may have. */
  hangUp(): void {
    for (const socket of sockets) socket.destroy();
  },
  /** All webhooks of a run have the same secret. */
  useSecret(shared: string): void {
    secret = shared;
  },
  /** Never answers requests about these resources. */
  hang(resources: string[]): void {
    hanging = new Set(resources);
  },
  /** Answers these with 500. */
  fail(resources: string[]): void {
    failing = new Set(resources);
  },
  /** Forgets what came so far. */
  reset({ keepArrivals }: { keepArrivals: boolean }): void {
    seen = new Set();
    arrivals = keepArrivals ? [] : null;
    requests = 0;
    invalid = 0;
    wanted = 0;
  },
  /** Resolves when so many different deliveries have come, or after the time limit; answers what came. */
  async wait({ count, limitMs }: { count: number; limitMs: number }): Promise<ReceiverCounts> {
    if (seen.size < count) {
      wanted = count;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        reached = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wanted = 0;
    }
    return { distinct: seen.size, requests, invalid, lastAt };
  },
  arrivals: (): Arrival[] => arrivals ?? [],
};

export type ReceiverCalls = typeof calls;

interface Listening {
  addresses: number;
  certificate?: { key: string; cert: string };
}

export interface Manners {
  delayMs: number;
  /** Told to senders: how long a connection may be idle. */
  announcedSeconds: number | null;
  /** The connection, after each answer. */
  closes: boolean;
  /** False: nobody's TLS session is known again. */
  resumes: boolean;
}

export const PLAIN_MANNERS: Manners = {
  delayMs: 0,
  announcedSeconds: null,
  closes: false,
  resumes: true,
};

/** When a delivery came first. */
export interface Arrival {
  /** Event id, blank, resource id. */
  key: string;
  /** Monotonic milliseconds of the machine. */
  at: number;
}

export interface ReceiverCounts {
  distinct: number;
  requests: number;
  invalid: number;
  /** Monotonic milliseconds of the machine. */
  lastAt: number;
}

async function listenOn(
  host: string,
  port: number,
  certificate: Listening["certificate"],
): Promise<number> {
  if (certificate !== undefined) secureServer ??= createSecureServer(certificate);
  const server = createServer({ noDelay: true }, (socket) => {
    if (certificate === undefined) serve(socket);
    else secureServer?.emit("connection", socket);
  });
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 1024 }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function createSecureServer(certificate: { key: string; cert: string }): TlsServer {
  const server = createTlsServer(certificate, (socket) => {
    if (socket.isSessionReused()) resumed += 1;
    serve(socket);
  });
  // Before its handshake: what was handed out until now is worth nothing.
  server.on("connection", () => {
    if (!resumes) server.setTicketKeys(randomBytes(48));
  });
  server.on("tlsClientError", () => {});
  return server;
}

function answer(headers: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${headers}\r\nok`);
}

function respond(socket: Socket): void {
  if (closes) socket.end(reply);
  else socket.write(reply);
}

function serve(socket: Socket): void {
  connections += 1;
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
  let rest: Buffer | null = null;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    let bytes = rest === null ? chunk : Buffer.concat([rest, chunk]);
    rest = null;
    while (bytes.length > 0) {
      const headEnd = bytes.indexOf("\r\n\r\n");
      if (headEnd === -1) break;
      const head = bytes.toString("latin1", 0, headEnd + 2);
      const end = headEnd + 4 + Number(header(head, "content-length"));
      if (bytes.length < end) break;
      take(socket, head, bytes.subarray(headEnd + 4, end));
      bytes = bytes.subarray(end);
    }
    if (bytes.length > 0) rest = bytes;
  });
}

function take(socket: Socket, head: string, body: Buffer): void {
  const resource = header(head, "x-service-resource-id");
  if (hanging.size > 0 && hanging.has(resource)) return;
  if (failing.size > 0 && failing.has(resource)) {
    socket.write(FAILURE);
    return;
  }
  requests += 1;
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  if (signature !== header(head, "x-service-signature")) {
    invalid += 1;
    socket.write(REFUSAL);
    return;
  }
  if (delayMs === 0) respond(socket);
  else setTimeout(respond, delayMs, socket);
  const key = `${header(head, "webhook-id")} ${resource}`;
  const before = seen.size;
  seen.add(key);
  if (seen.size === before) return;
  lastAt = clock();
  arrivals?.push({ key, at: lastAt });
  if (seen.size === wanted) reached?.();
}

/** Names come in the case that the sender prefers. */
const CASES = new Map<string, string>(
  ["content-length", "x-service-resource-id", "x-service-signature", "webhook-id"].map((name) => [
    name,
    name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase()),
  ]),
);

function header(head: string, name: string): string {
  let at = head.indexOf(`\n${name}: `);
  if (at === -1) at = head.indexOf(`\n${CASES.get(name)}: `);
  if (at === -1) return "";
  const from = at + name.length + 3;
  return head.slice(from, head.indexOf("\r", from));
}

serveCalls(calls);

import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { FuzzRequest } from "./make-request.ts";

export interface Answer {
  /** Null: the connection ended without one. */
  status: number | null;
  contentType: string;
  retryAfter: boolean;
  /** At most the first 256 KiB. */
  body: string;
  ms: number;
}

const KEPT = 256 * 1024;
/** Longer than any answer may take; then it is a fault. */
const GIVE_UP_MS = 20_000;
/** On a raw socket the service may wait for the rest of what never comes. */
const RAW_PATIENCE_MS = 250;

export interface Client {
  send(request: FuzzRequest): Promise<Answer>;
  /** Gives up after a moment without bytes; such an answer has no status. */
  sendRaw(bytes: Buffer): Promise<Answer>;
  close(): void;
}

export function createClient(address: string, connections: number): Client {
  const { hostname, port } = new URL(address);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const since = (): number => performance.now() - startedAt;
        const { method, target, body } = request;
        const headers = request.headers.flat();
        headers.push("host", "127.0.0.1");
        if (body !== null) headers.push("content-length", String(body.length));
        const sent = httpRequest({ agent, hostname, port, method, path: target, headers });
        sent.setTimeout(GIVE_UP_MS, () => sent.destroy());
        let answered = false;
        sent.on("response", (response) => {
          answered = true;
          read(response, since).then(resolve, reject);
        });
        sent.on("error", () => {
          if (!answered) resolve({ ...NOTHING, ms: since() });
        });
        sent.end(body ?? undefined);
      }),
    sendRaw: (bytes) =>
      new Promise((resolve) => {
        const startedAt = performance.now();
        const socket = connect(Number(port), hostname);
        let received = "";
        let lastAt = startedAt;
        socket.setTimeout(RAW_PATIENCE_MS, () => socket.destroy());
        socket.on("data", (chunk: Buffer) => {
          lastAt = performance.now();
          if (received.length < KEPT) received += chunk.toString("latin1");
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve({ ...parse(received), ms: lastAt - startedAt }));
        socket.write(bytes);
      }),
    close: () => agent.destroy(),
  };
}

const NOTHING = { status: null, contentType: "", retryAfter: false, body: "", ms: 0 };

async function read(response: IncomingMessage, since: () => number): Promise<Answer> {
  const { statusCode = null, headers } = response;
  const answer: Answer = {
    status: statusCode,
    contentType: headers["content-type"] ?? "",
    retryAfter: headers["retry-after"] !== undefined,
    body: "",
    ms: since(),
  };
  if (answer.contentType.startsWith("text/event-stream")) {
    // It has no end.
    response.destroy();
    return answer;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (size < KEPT) chunks.push(chunk);
      size += chunk.length;
    }
  } catch {
    answer.status = null;
  }
  answer.body = Buffer.concat(chunks).toString();
  answer.ms = since();
  return answer;
}

function parse(received: string): Omit<Answer, "ms"> {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(
    received.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, ""),
  )?.[1];
  if (status === undefined) return NOTHING;
  // Raw answers are judged by status and text only: several may have come.
  return { status: Number(status), contentType: "", retryAfter: true, body: received };
}

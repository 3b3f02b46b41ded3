import type { Socket } from "node:net";
import type { TestContext } from "node:test";
import { ok, startRawReceiver } from "../../send/testing/raw-receiver.ts";

export interface Arrival {
  path: string;
  headers: ReadonlyMap<string, string>;
  body: string;
  /** The envelope's members that tests ask for. */
  event: string;
  payload: { user?: { id: number }; update?: { id: string }; webhook?: { url: string } };
  webhookId: string;
  attempt: number;
}

/** What is answered: a status, a status with headers, or null to leave the request open. */
export type Reply =
  | number
  | { status: number; headers?: Record<string, string>; body?: string }
  | null;

export interface Receiver {
  url(path?: string): string;
  host: string;
  /** In order of arrival. */
  arrivals: Arrival[];
  /** Resolves once that many requests have arrived. */
  arrived(count: number): Promise<void>;
  /** Answers all requests left open, and from now on this. */
  answer(reply: Reply | ((arrival: Arrival, count: number) => Reply)): void;
  /** Requests without an answer. */
  readonly open: number;
  mostOpen: number;
}

/** A real receiver on this machine. Closed with the test. */
export async function startReceiver(
  t: TestContext,
  first: Reply | ((arrival: Arrival, count: number) => Reply) = 200,
): Promise<Receiver> {
  let reply = first;
  let left: { socket: Socket; arrival: Arrival; count: number }[] = [];
  const arrivals: Arrival[] = [];
  const raw = await startRawReceiver(t, (socket, text) => {
    const arrival = parse(text);
    arrivals.push(arrival);
    left.push({ socket, arrival, count: arrivals.length });
    receiver.mostOpen = Math.max(receiver.mostOpen, left.length);
    answerLeft();
  });

  function answerLeft(): void {
    left = left.filter(({ socket, arrival, count }) => {
      const given = typeof reply === "function" ? reply(arrival, count) : reply;
      if (given === null) return true;
      socket.write(render(given));
      return false;
    });
  }

  const receiver: Receiver = {
    url: (path = "/hook") => `http://127.0.0.1:${raw.port}${path}`,
    host: `127.0.0.1:${raw.port}`,
    arrivals,
    arrived: raw.arrived,
    answer(next) {
      reply = next;
      answerLeft();
    },
    get open() {
      return left.length;
    },
    mostOpen: 0,
  };
  return receiver;
}

function parse(text: string): Arrival {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [line = "", ...lines] = head.split("\r\n");
  const headers = new Map(
    lines.map((one) => {
      const colon = one.indexOf(":");
      return [one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim()] as const;
    }),
  );
  // Our own sender made it; tests assert on what they read.
  const isEnvelope = body.startsWith("{");
  const envelope = (isEnvelope ? JSON.parse(body) : {}) as Partial<Arrival>;
  return {
    path: line.split(" ")[1] ?? "",
    headers,
    body,
    event: envelope.event ?? "",
    payload: envelope.payload ?? {},
    webhookId: headers.get("webhook-id") ?? "",
    attempt: Number(headers.get("x-service-attempt")),
  };
}

function render(reply: NonNullable<Reply>): string {
  const { status, headers = {}, body = "" } = typeof reply === "number" ? { status: reply } : reply;
  if (status === 200 && body === "" && Object.keys(headers).length === 0) return ok();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

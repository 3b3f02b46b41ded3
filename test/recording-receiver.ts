import { createServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { verify } from "@markethook/receiver/node";
import type { Arrival, Ledger } from "./ledger.ts";

export interface RecordingReceiver {
  url: string;
  /** Called right after an answer was handed to the system. */
  onAnswered: (arrival: Arrival) => void;
  /** Called when a request has arrived whole. */
  onArrival: (arrival: Arrival) => void;
  /** Called for each new connection, before its handshake. */
  onConnection: () => void;
  /** As when it is restarted: requests that are open get no answer. */
  endConnections(): void;
  close(): Promise<void>;
}

/**
 * Verifies, records, and answers after a few milliseconds; every tenth purchase is refused at first. With TLS, every second
 * connection is closed after its answer, so that there are handshakes all the time.
 */
export async function startRecordingReceiver(
  ledger: Ledger,
  secrets: () => readonly string[],
  answerAfterMs: () => number,
  tls: ServerOptions | null = null,
): Promise<RecordingReceiver> {
  const refusedOnce = new Set<string>();
  const receiver: RecordingReceiver = {
    url: "",
    onAnswered: () => {},
    onArrival: () => {},
    onConnection: () => {},
    endConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  let answers = 0;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const result = verify(Buffer.concat(chunks), request.headers, secrets());
      if (!result.ok || result.kind !== "event") {
        ledger.violations.push(`a request did not verify: ${result.ok ? "unknown" : result.code}`);
        response.writeHead(401).end();
        return;
      }
      const arrival: Arrival = {
        eventId: result.id ?? "",
        webhookId: result.webhookId ?? "",
        deliveryId: result.deliveryId ?? "",
        event: result.event.event,
        userId: "user" in result.event.payload ? result.event.payload.user.id : -1,
        at: performance.now(),
        answered: null,
      };
      ledger.arrive(arrival);
      receiver.onArrival(arrival);
      let answered = false;
      response.on("close", () => {
        if (!answered) ledger.answer(arrival, null);
      });
      setTimeout(() => {
        if (response.destroyed) return;
        const refuse = arrival.userId % 10 === 0 && !refusedOnce.has(arrival.deliveryId);
        refusedOnce.add(arrival.deliveryId);
        const status = refuse ? 500 : 204;
        answered = true;
        ledger.answer(arrival, status);
        answers += 1;
        const closes = tls !== null && answers % 2 === 0;
        if (closes) response.setHeader("connection", "close");
        response.writeHead(status).end(() => receiver.onAnswered(arrival));
      }, answerAfterMs());
    });
  };
  const server = tls === null ? createServer(listener) : createHttpsServer(tls, listener);
  server.on("connection", () => receiver.onConnection());
  const port = await listenOnLoopback(server);
  const scheme = tls === null ? "http" : "https";
  receiver.url = `${scheme}://127.0.0.1:${port}/`;
  return receiver;
}

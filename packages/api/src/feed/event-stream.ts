import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

/** Limit of unread bytes; a slower reader is disconnected and comes back. */
const MOST_UNREAD_BYTES = 1024 * 1024;
const PING_MS = 15_000;

export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Tells proxies not to buffer the answer.
  "x-accel-buffering": "no",
};

export interface EventStream {
  send(event: string, data: unknown): void;
  end(): void;
}

/** Takes over the answer as server-sent events. `onClose` is called once at its end. */
export function startEventStream(reply: FastifyReply, onClose: () => void): EventStream {
  reply.hijack();
  const response: ServerResponse = reply.raw;
  response.writeHead(200, STREAM_HEADERS);
  response.flushHeaders();
  let count = 0;
  const stream: EventStream = {
    send(event, data) {
      if (response.destroyed || response.writableEnded) return;
      if (response.writableLength > MOST_UNREAD_BYTES) return void response.destroy();
      count += 1;
      response.write(`id: ${count}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    end() {
      stream.send("end", {});
      response.end();
    },
  };
  const pings = setInterval(() => stream.send("ping", {}), PING_MS);
  pings.unref();
  const closed = (): void => {
    clearInterval(pings);
    onClose();
  };
  // The reader may have left before this began.
  if (response.destroyed) closed();
  else response.once("close", closed);
  return stream;
}

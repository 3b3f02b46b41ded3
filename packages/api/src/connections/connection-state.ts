import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * - `new`: no request has arrived yet.
 * - `arriving`: the body of a request is on its way.
 * - `unread`: the client has not read what was written to it.
 * - `working`: a request has arrived in full, its answer is being made or sent.
 * - `idle`: the last request was answered.
 */
export type ConnectionState = "new" | "arriving" | "unread" | "working" | "idle";

export function connectionState(
  socket: Socket,
  latest: ServerResponse | undefined,
): ConnectionState {
  if (latest === undefined) return "new";
  if (socket.writableLength > 0) return "unread";
  if (!latest.req.complete) return "arriving";
  return latest.writableFinished ? "idle" : "working";
}

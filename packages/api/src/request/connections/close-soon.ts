import type { Duplex } from "node:stream";

/**
 * Ends a connection, after these bytes if there are any. A client that does not end it too within the grace is cut:
 * HTTP sockets may be half open, so without this it would keep the descriptor for as long as it likes.
 */
export function closeSoon(socket: Duplex, graceMs: number, bytes?: string): void {
  if (bytes === undefined) socket.end();
  else socket.end(bytes);
  const timer = setTimeout(() => socket.destroy(), graceMs);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

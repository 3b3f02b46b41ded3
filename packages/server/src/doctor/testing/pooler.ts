import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "@markethook/protocol/testing";

const KEY_DATA = 0x4b;

/**
 * Stands before PostgreSQL and names another process number than the server's, as a pooler does. `delayMs`: how long it
 * keeps what the server replies.
 */
export async function startPooler(
  url: string,
  delayMs = 0,
): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
    client.pipe(upstream);
    upstream.on("data", (bytes: Buffer) => {
      setTimeout(() => client.write(renamed(bytes)), delayMs);
    });
    upstream.on("end", () => setTimeout(() => client.end(), delayMs));
  });
  const own = new URL(url);
  own.port = String(await listenOnLoopback(server));
  return {
    url: own.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Messages follow one another whole where a session begins: a letter, a length, and so much. */
function renamed(bytes: Buffer): Buffer {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] !== KEY_DATA) continue;
    const copy = Buffer.from(bytes);
    copy.writeUInt32BE(1, at + 5);
    return copy;
  }
  return bytes;
}

import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Resolves with the free port that it took. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port; // A TCP server's address is never a path.
}

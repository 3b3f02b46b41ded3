import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { createApp } from "@markethook/api";
import type { Config } from "../settings/config-schema.ts";
import { listenError } from "./listen-error.ts";

export type HttpApp = Awaited<ReturnType<typeof createApp>>;

export function listeningAt(app: HttpApp): string {
  const { address, port, family } = app.server.address() as AddressInfo; // Of a port, not of a socket file.
  return family === "IPv6" ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

export async function countConnections(app: HttpApp): Promise<number> {
  return await promisify(app.server.getConnections.bind(app.server))();
}

/**
 * Closes idle connections until the server is closed. Otherwise a connection that was busy when closing began would
 * stay open and delay the stop by a minute.
 */
export async function closeApp(app: HttpApp): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
  await app.close().finally(() => clearInterval(sweep));
}

export async function listen(app: HttpApp, { host, port }: Config): Promise<void> {
  try {
    // For `localhost` fastify would open a second server, without the limits on connections.
    await app.listen({ host: host === "localhost" ? "127.0.0.1" : host, port });
  } catch (cause) {
    throw listenError(cause, { host, port });
  }
}

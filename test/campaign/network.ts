import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** The way of one instance to the database's servers, which can be cut while others keep theirs. */
export interface Network {
  /** In place of the servers' ports, in the same order. */
  ports: number[];
  /** Silent: as packets that are dropped, and arrive late when it is restored. Otherwise connections are reset. */
  cut(silent: boolean): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startNetwork(servers: readonly number[]): Promise<Network> {
  const sockets = new Set<Socket>();
  let state: "open" | "silent" | "reset" = "open";

  function join(client: Socket, port: number): void {
    const server = connect(port, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    // By hand: a pipe would go on when its socket is paused.
    client.on("data", (bytes: Buffer) => void server.write(bytes));
    server.on("data", (bytes: Buffer) => void client.write(bytes));
    if (state === "silent") for (const socket of [client, server]) socket.pause();
  }

  const listeners = await Promise.all(
    servers.map((port) =>
      listen((client) => {
        if (state === "reset") client.resetAndDestroy();
        else join(client, port);
      }),
    ),
  );
  return {
    ports: listeners.map((listener) => (listener.address() as AddressInfo).port), // They listen on ports.
    cut(silent) {
      state = silent ? "silent" : "reset";
      for (const socket of sockets) {
        if (silent) socket.pause();
        else socket.resetAndDestroy();
      }
    },
    restore() {
      state = "open";
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        listeners.map((listener) => new Promise((resolve) => listener.close(resolve))),
      );
    },
  };
}

async function listen(serve: (client: Socket) => void): Promise<Server> {
  const listener = createServer(serve);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return listener;
}

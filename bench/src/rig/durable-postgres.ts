import { type PostgresServer, startPostgres } from "@markethook/store/testing";

/**
 * A PostgreSQL that flushes to disk, as an operator's does. It ends with this process, also when a signal ends the
 * measurement.
 */
export async function startDurablePostgres(): Promise<PostgresServer> {
  const server = await startPostgres({ durable: true });
  const quit = (): void => void process.kill(server.pid, "SIGQUIT");
  process.once("exit", quit);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  return {
    ...server,
    async stop() {
      process.off("exit", quit);
      await server.stop();
    },
  };
}

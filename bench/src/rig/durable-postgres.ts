import { execute, type PostgresServer, startPostgres } from "@markethook/store/testing";
import { exitAtSignals } from "./kill-at-exit.ts";

/** The URL of a server to measure on, as its superuser, on this machine. */
const GIVEN = "BENCH_POSTGRES";

/**
 * A PostgreSQL that flushes to disk, as an operator's does: the one that is given, or one from npm, which ends with this
 * process, also when a signal ends the measurement.
 */
export async function startDurablePostgres(): Promise<PostgresServer> {
  exitAtSignals();
  const url = process.env[GIVEN];
  if (url !== undefined) {
    const [file] = await execute(url, "select pg_read_file('postmaster.pid') as text");
    return { url, pid: Number.parseInt(String(file?.["text"]), 10), stop: async () => {} };
  }
  return await startPostgres({ durable: true });
}

import { Client } from "pg";
import { freePort, makePostgresFolder } from "./postgres-folder.ts";

/** Where a test run keeps the address of the server that all its files share. */
const SHARED = "MARKETHOOK_TEST_POSTGRES";

export interface PostgresServer {
  /** Of the maintenance database, as a superuser. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** A real PostgreSQL in a temporary folder. Tests do without its flushes to disk; measurements do not. */
export async function startPostgres(
  options: { durable?: boolean; tool?: string } = {},
): Promise<PostgresServer> {
  const folder = await makePostgresFolder({}, options.tool);
  folder.initialise("data");
  const port = await freePort();
  const server = await folder.run("data", port, [
    `fsync=${options.durable === true ? "on" : "off"}`,
  ]);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: server.pid ?? 0,
    async stop() {
      const exited = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGINT");
      await exited;
      folder.remove();
    },
  };
}

/** A database of its own for one test file, on a server, the run's shared one, or one started for this file. */
export async function createTestDatabase(
  shared = process.env[SHARED],
): Promise<{ url: string; drop(): Promise<void> }> {
  const server =
    shared === undefined ? await startPostgres() : { url: shared, stop: async () => {} };
  const name = `test_${process.pid}_${Math.floor(performance.now() * 1000)}`;
  await execute(server.url, `create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await execute(server.url, `drop database ${name} with (force)`);
      await server.stop();
    },
  };
}

/** The rows of one statement, as somebody asks who has got hold of the database. */
export async function execute(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Locks a table as an outsider who alters it would: every statement on it waits until the answered function is called. */
export async function lockTable(
  url: string,
  table: "pending" | "events",
): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("begin");
  await client.query(`lock table ${table} in access exclusive mode`);
  return async () => {
    await client.query("rollback");
    await client.end();
  };
}

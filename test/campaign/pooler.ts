import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A pgbouncer in transaction mode, whose configuration follows the primary as an operator's does. */
export interface Pooler {
  url: string;
  signal(name: NodeJS.Signals): void;
  /** Ends it at once; resolves when it takes connections again. */
  killFor(ms: number): Promise<void>;
  close(): void;
}

const FOLLOW_EVERY_MS = 50;
/** It refuses to run as root. */
const NOBODY = 65_534;

/**
 * @param port where it listens
 * @param primaryPort the primary's port, asked again and again
 * @returns why there is none, as a string
 */
export async function startPooler(
  port: number,
  primaryPort: () => number,
): Promise<Pooler | string> {
  if (spawnSync("pgbouncer", ["--version"]).status !== 0) return "pgbouncer is not installed";
  const folder = mkdtempSync(join(tmpdir(), "markethook-pooler-"));
  chmodSync(folder, 0o755);
  const file = join(folder, "pgbouncer.ini");
  let followed = primaryPort();
  let running: ChildProcess | null = null;

  function configure(): void {
    writeFileSync(
      file,
      `[databases]
postgres = host=127.0.0.1 port=${followed} dbname=postgres user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 14
server_login_retry = 1
`,
    );
  }

  async function start(): Promise<void> {
    configure();
    const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    running = spawn("pgbouncer", ["--quiet", file], { stdio: "ignore", ...asNobody });
    while (!(await takesConnections(port))) {
      if (running.exitCode !== null) throw new Error(`pgbouncer ended with ${running.exitCode}`);
      await pause(20);
    }
  }

  await start();
  const following = setInterval(() => {
    if (primaryPort() === followed) return;
    followed = primaryPort();
    configure();
    running?.kill("SIGHUP");
  }, FOLLOW_EVERY_MS);
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    signal: (name) => void running?.kill(name),
    async killFor(ms) {
      const exited = new Promise((resolve) => running?.once("exit", resolve));
      running?.kill("SIGKILL");
      await exited;
      await pause(ms);
      await start();
    },
    close() {
      clearInterval(following);
      running?.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    },
  };
}

async function takesConnections(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import {
  chownSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "@markethook/protocol/testing";
import { Client } from "pg";
import { makePostgresFolder, type PostgresFolder } from "./postgres-folder.ts";
import { execute } from "./postgres-server.ts";

/** A server of a cluster: its files, its port, and its process while it runs. */
export class ClusterMember {
  readonly name: string;
  readonly port: number;
  readonly #folder: PostgresFolder;
  #settings: readonly string[] = [];
  #process: ChildProcess | null = null;

  constructor(folder: PostgresFolder, name: string, port: number) {
    this.#folder = folder;
    this.name = name;
    this.port = port;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  get files(): string {
    return join(this.#folder.path, this.name);
  }

  async start(settings = this.#settings): Promise<void> {
    this.#settings = settings;
    // Processes of one that was killed may hold its memory for a moment.
    for (let tries = 1; ; tries += 1) {
      try {
        this.#process = await this.#folder.run(this.name, this.port, ["fsync=off", ...settings]);
        return;
      } catch (error) {
        if (tries === 50) throw error;
        await pause(100);
      }
    }
  }

  /** Resolves when it takes connections. One that is about to end by itself is waited for. */
  async startIfEnded(): Promise<void> {
    for (;;) {
      const server = this.#process;
      if (server === null || server.exitCode !== null || server.signalCode !== null) {
        await this.start();
      }
      try {
        await execute(this.url, "select 1");
        return;
      } catch {
        await pause(100);
      }
    }
  }

  /** SIGINT is a fast stop, SIGQUIT an immediate one. */
  async stop(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void> {
    const server = this.#process;
    if (server === null) return;
    this.#process = null;
    // By itself, as with a full disk.
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = new Promise((resolve) => server.once("exit", resolve));
    const others = childrenOf(server.pid ?? 0);
    server.kill(signal);
    if (signal === "SIGKILL") for (const pid of others) tell(pid, signal);
    await exited;
  }

  /** All its processes stand still; connections stay open. */
  freeze(): void {
    this.#signalAll("SIGSTOP");
  }

  thaw(): void {
    this.#signalAll("SIGCONT");
  }

  #signalAll(signal: NodeJS.Signals): void {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    tell(pid, signal);
    for (const child of childrenOf(pid)) tell(child, signal);
  }

  /** Copies the files of a running server, and follows it from then on. */
  async followFrom(primary: ClusterMember, settings: readonly string[] = []): Promise<void> {
    const client = new Client({ connectionString: primary.url });
    await client.connect();
    try {
      await client.query("select pg_backup_start('standby', true)");
      rmSync(this.files, { recursive: true, force: true });
      const left = join(primary.files, "postmaster.pid");
      cpSync(primary.files, this.files, {
        recursive: true,
        preserveTimestamps: true,
        filter: (path) => path !== left,
      });
      const { rows } = await client.query<{ labelfile: string }>(
        "select labelfile from pg_backup_stop(false)",
      );
      this.#write("backup_label", rows[0]?.labelfile ?? "");
    } finally {
      await client.end();
    }
    this.#write("standby.signal", "");
    ownAll(this.files, this.#folder.path);
    await this.start([
      `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres application_name=${this.name}`,
      ...settings,
    ]);
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.files, name), text);
  }

  /** Resolves when it has replayed what the primary had written at the call. */
  async catchUp(primary: ClusterMember): Promise<void> {
    const [written] = await execute(primary.url, "select pg_current_wal_lsn() as at");
    const question = `select pg_last_wal_replay_lsn() >= '${String(written?.["at"])}' as has`;
    while ((await execute(this.url, question))[0]?.["has"] !== true) await pause(5);
  }

  /** Ends following; resolves when it takes writes. */
  async promote(): Promise<void> {
    await execute(this.url, "select pg_promote()");
  }
}

/** Servers in one folder, with this environment; each is stopped and removed at the end. */
export async function makeCluster(
  names: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const folder = await makePostgresFolder(env);
  const members: ClusterMember[] = [];
  for (const name of names) members.push(new ClusterMember(folder, name, await freePort()));
  folder.initialise(names[0] ?? "");
  return {
    members,
    async remove() {
      for (const member of members) await member.stop("SIGKILL");
      folder.remove();
    },
  };
}

/** The copy was made by us; the server runs as the folder's owner. */
function ownAll(path: string, like: string): void {
  const { uid, gid } = statSync(like);
  if (uid === process.getuid?.()) return;
  own(path, uid, gid);
}

function own(path: string, uid: number, gid: number): void {
  chownSync(path, uid, gid);
  if (statSync(path).isDirectory())
    for (const name of readdirSync(path)) own(join(path, name), uid, gid);
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter((part) => part !== "")
      .map(Number);
  } catch {
    return [];
  }
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** A primary, and a standby that follows it, until the test's end. */
export async function startPair(
  t: TestContext,
): Promise<{ first: ClusterMember; second: ClusterMember }> {
  const cluster = await makeCluster(["first", "second"]);
  t.after(() => cluster.remove());
  const [first, second] = cluster.members;
  assert.ok(first && second);
  await first.start();
  await second.followFrom(first);
  return { first, second };
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ClusterMember, execute, makeCluster } from "@markethook/store/testing";

/** Monotonic ms. */
export interface Time {
  from: number;
  to: number;
}

/** A primary and a standby that follows it synchronously; after a promotion they have changed places. */
export interface Pair {
  /** Names both servers, at these ports instead of their own. */
  url(ports: readonly number[]): string;
  ports: number[];
  primary(): ClusterMember;
  /** Kills the primary and promotes the standby, which had everything. */
  promote(): Promise<void>;
  /** The same, with a standby that missed the commits of so many ms; returns when these were made. */
  promoteWithout(ms: number): Promise<Time>;
  /** Like an operator after a full disk: starts what has ended; resolves when both take connections. */
  startAgain(): Promise<void>;
  remove(): Promise<void>;
}

/** What is answered this long after a commit belongs to it. */
const ANSWER_MS = 1000;
export const CONNECTIONS = 100;
/**
 * A standby that waits 5 s before it connects again would be what is measured after a restart: commits wait for it. One that
 * finds no more what it missed would never follow again.
 */
const SETTINGS = [
  `max_connections=${CONNECTIONS}`,
  "wal_retrieve_retry_interval=100ms",
  "wal_keep_size=1GB",
];

/** @param env of both servers */
export async function startPair(env: Readonly<Record<string, string>>): Promise<Pair> {
  const cluster = await makeCluster(["first", "second"], env);
  const [first, second] = cluster.members;
  if (first === undefined || second === undefined) throw new Error("a pair has two servers");
  let [primary, standby] = [first, second];
  await primary.start(SETTINGS);
  await follow(standby, primary);

  /** Returns when the primary was dead. */
  async function changePlaces(): Promise<number> {
    const [old, next] = [primary, standby];
    await old.stop("SIGKILL");
    const deadAt = performance.now();
    await unsetSynchronous(next);
    await next.promote();
    [primary, standby] = [next, old];
    await follow(old, next);
    return deadAt;
  }

  return {
    url: (ports) =>
      `postgresql://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/postgres?target_session_attrs=read-write`,
    ports: [first.port, second.port],
    primary: () => primary,
    async promote() {
      await changePlaces();
    },
    async promoteWithout(ms) {
      const from = performance.now() - ANSWER_MS;
      await unsetSynchronous(primary);
      const rules = join(primary.files, "pg_hba.conf");
      const text = readFileSync(rules, "utf8");
      writeFileSync(rules, `host replication all 127.0.0.1/32 reject\n${text}`);
      await execute(primary.url, "select pg_reload_conf()");
      await execute(primary.url, "select pg_terminate_backend(pid) from pg_stat_replication");
      await pause(ms);
      return { from, to: (await changePlaces()) + ANSWER_MS };
    },
    async startAgain() {
      for (const server of [primary, standby]) await server.startIfEnded();
    },
    remove: () => cluster.remove(),
  };
}

async function unsetSynchronous(server: ClusterMember): Promise<void> {
  await execute(server.url, "alter system reset synchronous_standby_names");
  await execute(server.url, "select pg_reload_conf()");
}

async function follow(standby: ClusterMember, primary: ClusterMember): Promise<void> {
  await standby.followFrom(primary, SETTINGS);
  await execute(primary.url, "alter system set synchronous_standby_names = '*'");
  await execute(primary.url, "select pg_reload_conf()");
  for (;;) {
    const rows = await execute(primary.url, "select sync_state from pg_stat_replication");
    if (rows.some((row) => row["sync_state"] === "sync")) return;
    await pause(50);
  }
}

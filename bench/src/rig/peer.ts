import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "@markethook/protocol/testing";
import { killAtExit } from "./kill-at-exit.ts";
import { SECRET } from "./service.ts";
import type { World } from "./world.ts";

const FOLDER = new URL("../../peers/bullmq/", import.meta.url).pathname;

/** The BullMQ pipeline on a Redis of its own. */
export interface Peer {
  address: string;
  stop(): Promise<void>;
}

/** Why the peer cannot be measured here; null: it can. */
export function peerMissing(): string | null {
  if (spawnSync("redis-server", ["--version"]).status !== 0) return "there is no redis-server";
  if (!existsSync(join(FOLDER, "node_modules"))) {
    return "it is not installed: npm install --prefix bench/peers/bullmq";
  }
  return null;
}

export async function startPeer(world: World): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), "markethook-bench-redis-"));
  const port = await freePort();
  const redis = spawn(
    "redis-server",
    // Written once a second: what most run, and weaker than what a 202 of ours means.
    `--port ${port} --bind 127.0.0.1 --dir ${folder} --appendonly yes --appendfsync everysec --save`
      .split(" ")
      .concat(""),
    { stdio: "ignore" },
  );
  killAtExit(redis);
  await reachable(port);
  const rest = [port, world.port, world.addresses, SECRET].map(String);
  const start = (role: string): ChildProcess =>
    spawn(process.execPath, [join(FOLDER, "pipeline.ts"), role, ...rest], {
      cwd: FOLDER,
      stdio: ["ignore", "pipe", "inherit"],
    });
  const api = start("api");
  const worker = start("worker");
  for (const child of [api, worker]) killAtExit(child);
  const address = await new Promise<string>((resolve, reject) => {
    api.once("exit", (code) => reject(new Error(`the pipeline's API ended with ${code}`)));
    if (api.stdout !== null) createInterface({ input: api.stdout }).once("line", resolve);
  });
  return {
    address,
    async stop() {
      for (const child of [worker, api, redis]) {
        const exited = new Promise((resolve) => child.once("exit", resolve));
        child.kill();
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function reachable(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Redis did not start");
}

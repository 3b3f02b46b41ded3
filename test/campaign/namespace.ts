import { execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNameServer } from "../../packages/dispatcher/src/guard/testing/name-server.ts";
import { onSmallDisk, whyNoSmallDisk } from "../small-disk.ts";

/** Of memory. PostgreSQL's two servers each keep all events of the run there. */
const DISKS = { sqlite: "1500m", postgres: "60%" };
/** Left free for what is still stored before a disk is full. */
const LEFT_BYTES = 256 * 1024;
const NAME_SERVER = { host: "127.0.0.1", port: 53 };

/** In a run that has a small disk of its own: where it is. */
const FOLDER = "MARKETHOOK_CAMPAIGN_DISK";

/** Null when this run has no mounts of its own. */
export const diskFolder = (): string | null => process.env[FOLDER] ?? null;

/** Runs this same command where it may mount, with a small disk. Returns the exit code, or why that cannot be. */
export async function againWithOwnMounts(store: "sqlite" | "postgres"): Promise<number | string> {
  const folder = mkdtempSync(join(tmpdir(), "markethook-disk-"));
  const reason = whyNoSmallDisk(folder);
  if (reason !== null) {
    rmSync(folder, { recursive: true });
    return reason;
  }
  const [command, ...args] = [...onSmallDisk(folder, DISKS[store]), process.execPath];
  const child = spawn(command, [...args, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, [FOLDER]: folder },
  });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  rmSync(folder, { recursive: true });
  return code ?? 1;
}

/** Temporary files of this process go to the disk from now on; other users may have folders there. */
export function useForTemporaryFiles(disk: string): void {
  chmodSync(disk, 0o711);
  process.env["TMPDIR"] = disk;
}

/** Takes all room but little; returns what gives it back. */
export function takeRoom(disk: string): () => void {
  const { blocks, bfree, bsize } = statfsSync(disk);
  const resize = (bytes: number): void => {
    execFileSync("mount", ["-o", `remount,size=${bytes}`, disk], { stdio: "pipe" });
  };
  resize((blocks - bfree) * bsize + LEFT_BYTES);
  return () => resize(blocks * bsize);
}

/** The only name server that processes started from here on ask. */
export interface OwnNameServer {
  /** It answers nothing, until the returned function is called. */
  goAway(): () => void;
  close(): void;
}

/** Each name leads to 127.0.0.1. Returns why that cannot be, otherwise. */
export async function startOwnNameServer(disk: string): Promise<OwnNameServer | string> {
  const refused = await whyNotBound();
  if (refused !== null) return refused;
  let isAway = false;
  const closers: (() => void)[] = [];
  await startNameServer(
    { after: (close) => void closers.push(close) },
    (_, family) => {
      if (isAway) return "silence";
      return { addresses: family === 4 ? ["127.0.0.1"] : [], ttl: 2 };
    },
    NAME_SERVER,
  );
  const settings = join(disk, "resolv.conf");
  writeFileSync(settings, `nameserver ${NAME_SERVER.host}\n`);
  execFileSync("mount", ["--bind", settings, "/etc/resolv.conf"], { stdio: "pipe" });
  return {
    goAway() {
      isAway = true;
      return () => {
        isAway = false;
      };
    },
    close: () => closers.forEach((close) => close()),
  };
}

async function whyNotBound(): Promise<string | null> {
  const socket = createSocket("udp4");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind(NAME_SERVER.port, NAME_SERVER.host, resolve);
    });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await new Promise<void>((resolve) => socket.close(resolve));
  }
}

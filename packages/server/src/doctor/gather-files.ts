import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../settings/config-schema.ts";
import { masterKeyFile } from "../keys/master-key.ts";
import type { FileFact, FileFacts } from "./facts.ts";

/** `f_type` of file systems whose files are on another machine: NFS, SMB (three of its kinds), 9P, Ceph, AFS. */
const NETWORK = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f,
]);
const DATABASE_FILES = ["markethook.sqlite", "markethook.sqlite-wal", "markethook.sqlite-shm"];

export function gatherFiles(config: Config): FileFacts {
  const { dataDir } = config;
  const folder = factOf(dataDir);
  const disk = folder === null ? null : statfsSync(dataDir);
  return {
    dataDir: folder,
    writable: folder !== null && isWritable(dataDir),
    database: DATABASE_FILES.map((name) => factOf(join(dataDir, name))).filter(
      (fact) => fact !== null,
    ),
    key: config.masterKey === null ? factOf(masterKeyFile(config)) : null,
    samples: existsSync(join(dataDir, "sample-marketplace.json")),
    freeBytes: disk === null ? null : disk.bavail * disk.bsize,
    network: disk !== null && NETWORK.has(disk.type),
  };
}

function factOf(path: string): FileFact | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  // On other systems permission bits mean nothing.
  const bits = process.platform === "win32" ? ~0o077 : -1;
  return stat === undefined ? null : { path, mode: stat.mode & bits, bytes: stat.size };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

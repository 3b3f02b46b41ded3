import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isMarkethookError, isObject, jsonObject } from "@markethook/protocol";
import {
  comparePostgres,
  findMoved,
  inspectPostgres,
  inspectSqlite,
  isReplaced,
  serverUrls,
  socketFolder,
} from "@markethook/store";
import { masterKeyFile, readKeyFile } from "../keys/master-key.ts";
import type { Config } from "../settings/config-schema.ts";
import { inspectConfig } from "../settings/config.ts";
import type { DatabaseFacts, Facts, FileFact, FileFacts, KeyFacts, ServiceFacts } from "./facts.ts";
import { gatherSystem } from "./gather-system.ts";
import { databaseName } from "../database.ts";
import { faultSentence } from "../log/fault-words.ts";
import { isLocalHost } from "./check-urls.ts";

/** Reads everything and changes nothing, with or without a running service. */
export async function gatherFacts(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Facts> {
  const { config, faults } = inspectConfig(env);
  const [database, system, service] = await Promise.all([
    gatherDatabase(config),
    gatherSystem(config),
    gatherService(config),
  ]);
  const files = gatherFiles(config);
  return { config, faults, files, keys: gatherKeys(config), database, system, service };
}

/** Reads the master keys like the service; makes none. */
function gatherKeys(config: Config): KeyFacts {
  if (config.masterKey !== null) return { keys: config.masterKey, fault: null };
  const file = masterKeyFile(config);
  if (!existsSync(file)) {
    return {
      keys: [],
      fault: null,
      ...(config.masterKeyFile === null ? {} : { missing: `There is no file ${file}.` }),
    };
  }
  try {
    return { keys: readKeyFile(file), fault: null };
  } catch (error) {
    if (isMarkethookError(error, "master_key_missing")) {
      return { keys: [], fault: null, missing: error.detail.detail ?? error.message };
    }
    const why = error instanceof Error ? error.message : String(error);
    return { keys: [], fault: `${file} cannot be read as a key: ${why}` };
  }
}

async function gatherDatabase(config: Config): Promise<DatabaseFacts> {
  if (config.databaseUrl !== null) return await gatherPostgres(config, config.databaseUrl);
  const sqlite = { kind: "sqlite", engine: process.versions["sqlite"] ?? "0" } as const;
  try {
    return { ...sqlite, inspection: await inspectSqlite(config.dataDir), fault: null };
  } catch (error) {
    return { ...sqlite, inspection: null, fault: faultSentence(error) };
  }
}

async function gatherPostgres(config: Config, url: string): Promise<DatabaseFacts> {
  const before = Date.now();
  const main = await inspectPostgres(url).catch(faultSentence);
  const after = Date.now();
  const direct =
    config.databaseDirectUrl === null
      ? null
      : await inspectPostgres(config.databaseDirectUrl).catch(faultSentence);
  const directLeads =
    config.databaseDirectUrl === null || typeof main === "string" || typeof direct === "string"
      ? null
      : await comparePostgres(url, config.databaseDirectUrl).catch(() => null);
  return {
    kind: "postgres",
    name: databaseName(url),
    local: serverUrls(url).urls.every(
      (one) => socketFolder(one) !== null || isLocalHost(new URL(one).hostname || "localhost"),
    ),
    inspection: typeof main === "string" ? null : main,
    fault: typeof main === "string" ? main : null,
    direct: typeof direct === "string" ? { fault: direct } : direct,
    directLeads,
    clock: [before, after],
  };
}

/** `f_type` of file systems whose files are on another machine: NFS, SMB (three of its kinds), 9P, Ceph, AFS. */
const NETWORK = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f,
]);
const { R_OK, W_OK, X_OK } = constants;
const DATABASE_FILES = ["markethook.sqlite", "markethook.sqlite-wal", "markethook.sqlite-shm"];

function gatherFiles(config: Config): FileFacts {
  const { dataDir } = config;
  const folder = factOf(dataDir);
  const disk = folder === null ? null : statfsSync(dataDir);
  const database = DATABASE_FILES.map((name) => factOf(join(dataDir, name))).filter(
    (fact) => fact !== null,
  );
  return {
    dataDir: folder,
    writable: folder !== null && isAccessible(dataDir, R_OK | W_OK | X_OK),
    database,
    closed: [
      ...(isHidden(dataDir) ? [dataDir] : []),
      ...[...DATABASE_FILES, "lock.sqlite", "holder.json"]
        .map((name) => join(dataDir, name))
        .filter((path) => existsSync(path) && !isAccessible(path, R_OK | W_OK)),
    ],
    replaced: isReplaced(dataDir),
    movedTo: findMoved(dataDir)?.to ?? null,
    key: config.masterKey === null ? factOf(masterKeyFile(config)) : null,
    samples: existsSync(join(dataDir, "sample-marketplace.json")),
    freeBytes: disk === null ? null : disk.bavail * disk.bsize,
    network: disk !== null && NETWORK.has(disk.type),
  };
}

/** Null also where the folder around it is closed to this user, which is a finding of its own. */
function factOf(path: string): FileFact | null {
  try {
    const { mode, size } = statSync(path);
    // On other systems permission bits mean nothing.
    return { path, mode: process.platform === "win32" ? mode & ~0o077 : mode, bytes: size };
  } catch {
    return null;
  }
}

/** Whether nothing can be known of it, not even whether it is there. */
function isHidden(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT"; // A system call's.
  }
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** A service with a hanging database answers in half of it. */
const ANSWER_MS = 3000;
const SILENT = { answer: `none within ${ANSWER_MS / 1000} s` };
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

/** Asks the address at which the service would listen. */
async function gatherService({ host, port }: Config): Promise<ServiceFacts> {
  const reached = ANY_ADDRESS.has(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const address = `http://${reached}:${port}`;
  // With 0 it takes a free port, which is not known beforehand.
  const index = port === 0 ? "nothing" : await ask(`${address}/`);
  if (index === "nothing") return { address, found: "nothing" };
  if (index === "silence") return { address, found: { ready: false, checks: SILENT } };
  if (index["service"] !== "markethook") return { address, found: "other" };
  const readiness = await ask(`${address}/readyz`);
  if (readiness === "nothing") return { address, found: "nothing" };
  if (readiness === "silence") return { address, found: { ready: false, checks: SILENT } };
  return {
    address,
    found: { ready: readiness["status"] === "ready", checks: checksIn(readiness) },
  };
}

/** An answer that is no JSON object counts as an empty one. `silence`: connections are taken, and no answer comes. */
async function ask(url: string): Promise<Record<string, unknown> | "nothing" | "silence"> {
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS), redirect: "manual" });
  } catch (error) {
    return error instanceof DOMException && error.name === "TimeoutError" ? "silence" : "nothing";
  }
  return jsonObject(await response.text().catch(() => "")) ?? {};
}

/** If it is not ready, only the problem's sentence has them. */
function checksIn({ checks, detail }: Record<string, unknown>): Record<string, string> {
  // The service answers a word for each check.
  if (isObject(checks)) return checks as Record<string, string>;
  return typeof detail === "string" ? { answer: detail } : {};
}

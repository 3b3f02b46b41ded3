import type { PostgresInspection, SqliteInspection } from "@markethook/store";
import { readConfig } from "../../settings/config.ts";
import type { DatabaseFacts, Facts } from "../facts.ts";

const NOW = Date.UTC(2026, 0, 1);
const KEY = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
/** `masterKeyId` of KEY is computed by the checks; what it encrypted carries the same. */
export const CLEAN_ENV = {
  MARKETHOOK_BASE_URL: "https://market.example",
  MARKETHOOK_PUBLIC_URL: "https://hooks.market.example",
};

/** A deployment in order, on SQLite, changed as a test wants. */
export function cleanFacts(change: Partial<Facts> & { env?: Record<string, string> } = {}): Facts {
  const { env, ...rest } = change;
  return {
    config: readConfig({ ...CLEAN_ENV, ...env }),
    faults: [],
    files: {
      dataDir: { path: "./data", mode: 0o40700, bytes: 0 },
      writable: true,
      database: [{ path: "data/markethook.sqlite", mode: 0o100600, bytes: 4096 }],
      key: { path: "data/master.key", mode: 0o100600, bytes: 45 },
      closed: [],
      replaced: false,
      movedTo: null,
      samples: false,
      freeBytes: 50 * 1024 ** 3,
      network: false,
    },
    keys: { keys: [KEY], fault: null },
    database: sqlite(),
    system: {
      wallNow: NOW,
      openFiles: 65_536,
      memoryBytes: 4 * 1024 ** 3,
      cores: 2,
      resolverFault: null,
      egressProxyFault: null,
    },
    service: { address: "http://127.0.0.1:8080", found: "nothing" },
    ...rest,
  };
}

const CONTENT = {
  applied: 1,
  known: 1,
  missing: [],
  encryptedBy: null,
  secretsEncryptedBy: {},
  firstKeyHash: null,
  settings: null,
  instances: [],
};

export function sqlite(change: Partial<SqliteInspection> = {}): DatabaseFacts {
  const inspection = { ...CONTENT, latestAt: NOW, noNumbers: [], ...change };
  return { kind: "sqlite", engine: "3.53.1", inspection, fault: null };
}

/** With the settings and files that go with PostgreSQL. */
export function onPostgres(
  change: Partial<PostgresInspection> = {},
  rest: Partial<Extract<DatabaseFacts, { kind: "postgres" }>> = {},
  env: Record<string, string> = {},
): Facts {
  const clean = cleanFacts({
    env: {
      MARKETHOOK_DATABASE_URL: "postgres://db.example/markethook",
      MARKETHOOK_MASTER_KEY: Buffer.from(KEY).toString("base64"),
      ...env,
    },
  });
  const inspection: PostgresInspection = {
    ...CONTENT,
    serverVersion: 180_000,
    now: NOW,
    replyMs: 1,
    encoding: "UTF8",
    synchronousCommit: "on",
    synchronousStandbyNames: "",
    standbys: [],
    fsync: true,
    fullPageWrites: true,
    walCompression: true,
    oldestSnapshot: null,
    invalidIndexes: [],
    maxWalMib: 4096,
    readOnly: false,
    lackingRights: null,
    encrypted: true,
    connections: 97,
    pooled: false,
    elsewhere: null,
    ...change,
  };
  return {
    ...clean,
    files: { ...clean.files, database: [], key: null },
    database: {
      kind: "postgres",
      name: "PostgreSQL at db.example/markethook",
      local: false,
      inspection,
      fault: null,
      direct: null,
      directLeads: null,
      clock: [NOW - 10, NOW + 10],
      ...rest,
    },
  };
}

export function without(name: keyof typeof CLEAN_ENV): Record<string, string> {
  const { [name]: _, ...rest } = CLEAN_ENV;
  return rest;
}

export function base64(key: Uint8Array): string {
  return Buffer.from(key).toString("base64");
}

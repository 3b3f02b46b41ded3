import type { PostgresInspection, SqliteInspection } from "@markethook/store";
import type { Config } from "../settings/config-schema.ts";
import type { ConfigFault } from "../settings/config.ts";

/** All that the checks judge. They look at nothing else, so that each can be tested without breaking a machine. */
export interface Facts {
  config: Config;
  faults: readonly ConfigFault[];
  files: FileFacts;
  keys: KeyFacts;
  database: DatabaseFacts;
  system: SystemFacts;
  service: ServiceFacts;
}

/** Of one file or folder; null in its place: there is none. */
export interface FileFact {
  path: string;
  /** As the system tells it: kind and permission bits. */
  mode: number;
  bytes: number;
}

export interface FileFacts {
  dataDir: FileFact | null;
  writable: boolean;
  /** Those of SQLite that are there, `-wal` among them. */
  database: FileFact[];
  key: FileFact | null;
  /** Left by development mode. */
  samples: boolean;
  /** Of the file system under the data folder, where that is known. */
  freeBytes: number | null;
  network: boolean;
}

export interface KeyFacts {
  keys: readonly Uint8Array[];
  /** Why there are none, where that is a fault. */
  fault: string | null;
  /** A key file that is set by name and does not exist. */
  missingFile?: string;
}

export type DatabaseFacts =
  | { kind: "sqlite"; engine: string; inspection: SqliteInspection | null; fault: string | null }
  | {
      kind: "postgres";
      /** As named in sentences; without user and password. */
      name: string;
      local: boolean;
      inspection: PostgresInspection | null;
      fault: string | null;
      /** The way past a pooler, where one is set. */
      direct: { pooled: boolean } | { fault: string } | null;
      /** This machine's clock, before and after the look. */
      clock: readonly [number, number];
    };

export interface SystemFacts {
  wallNow: number;
  /** Null where it cannot be known. */
  openFiles: number | null;
  memoryBytes: number;
  /** Null: names are answered. */
  resolverFault: string | null;
}

export interface ServiceFacts {
  address: string;
  /** What answers there: nothing, something else, or this service with what `/readyz` says. */
  found: "nothing" | "other" | { version: string; ready: boolean; checks: Record<string, string> };
}

import type { Comparison, PostgresInspection, SqliteInspection } from "@markethook/store";
import type { Config } from "../settings/config-schema.ts";
import type { ConfigFault } from "../settings/config.ts";

/** The input of all checks. They read nothing else, so each can be tested without breaking a machine. */
export interface Facts {
  config: Config;
  faults: readonly ConfigFault[];
  files: FileFacts;
  keys: KeyFacts;
  database: DatabaseFacts;
  system: SystemFacts;
  service: ServiceFacts;
}

/** Facts of one file or folder; null: it does not exist. */
export interface FileFact {
  path: string;
  /** As the system reports it: kind and permission bits. */
  mode: number;
  bytes: number;
}

export interface FileFacts {
  dataDir: FileFact | null;
  writable: boolean;
  /** Existing files of SQLite, `-wal` among them. */
  database: FileFact[];
  /** Paths of those that this user may not read or write. */
  closed: readonly string[];
  /** The log of SQLite belongs to another database than the one there is. */
  replaced: boolean;
  /** The database that a move brought the folder's data to. */
  movedTo: string | null;
  key: FileFact | null;
  /** Left over from development mode. */
  samples: boolean;
  /** Facts of the file system under the data folder, if known. */
  freeBytes: number | null;
  network: boolean;
}

export interface KeyFacts {
  keys: readonly Uint8Array[];
  /** Why there are none, if that is a fault. */
  fault: string | null;
  /** Why a key file that must be there cannot be read: a sentence. */
  missing?: string;
}

export type DatabaseFacts =
  | { kind: "sqlite"; engine: string; inspection: SqliteInspection | null; fault: string | null }
  | {
      kind: "postgres";
      /** Name for sentences, without user and password. */
      name: string;
      local: boolean;
      inspection: PostgresInspection | null;
      fault: string | null;
      /** The address past a pooler, if set. */
      direct: { pooled: boolean } | { fault: string } | null;
      /** Where that address leads, compared with the other one; null: not known. */
      directLeads: Comparison | null;
      /** This machine's clock before and after the reading. */
      clock: readonly [number, number];
    };

export interface SystemFacts {
  wallNow: number;
  /** Null if it cannot be known. */
  openFiles: number | null;
  memoryBytes: number;
  cores: number;
  /** Null: names are resolved. */
  resolverFault: string | null;
  /** Null: it takes connections, or there is none. */
  egressProxyFault: string | null;
}

export interface ServiceFacts {
  address: string;
  /** The answer there: none, another program's, or this service's `/readyz`. */
  found: "nothing" | "other" | { ready: boolean; checks: Record<string, string> };
}

import type { Instance } from "./instances.ts";

/** What is found in a database that is looked at from outside; nothing in it is changed. */
export interface Inspection {
  /** Migrations it has, and those that this version knows. */
  applied: number;
  known: number;
  /** Tables, columns and indexes that a database with its migrations has, and this one lacks. */
  missing: readonly string[];
  /** Id of the master key that encrypted its internal key; null: nothing is encrypted yet. */
  encryptedBy: string | null;
  /** Ids of the master keys that encrypted webhooks' secrets, and how many each. */
  secretsEncryptedBy: Readonly<Record<string, number>>;
  instances: Instance[];
}

export interface SqliteInspection extends Inspection {
  /** The largest time it has stored; milliseconds since the epoch, 0: none. */
  latestAt: number;
}

export interface PostgresInspection extends Inspection {
  /** As `180004`. */
  serverVersion: number;
  /** Milliseconds since the epoch, by the server's clock, in the middle of the look. */
  now: number;
  encoding: string;
  synchronousCommit: string;
  synchronousStandbyNames: string;
  /** Of connected standbys, their `sync_state`; null where this user may not see it. */
  standbys: (string | null)[];
  fsync: boolean;
  fullPageWrites: boolean;
  walCompression: boolean;
  /** How much log it lets grow before it makes a checkpoint. */
  maxWalMib: number;
  readOnly: boolean;
  encrypted: boolean;
  /** Connections that users may have, those kept for superusers left out. */
  connections: number;
  /** Something between hands connections round: the session is not the one that was opened. */
  pooled: boolean;
}

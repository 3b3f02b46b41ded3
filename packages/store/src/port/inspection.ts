import type { Instance } from "./instances.ts";

/** The result of inspecting a database from outside, which changes nothing in it. */
export interface Inspection {
  /** Its migrations, and those that this version knows. */
  applied: number;
  known: number;
  /** Missing tables, columns and indexes, compared with its migrations. */
  missing: readonly string[];
  /** Id of the master key that encrypted its internal key; null: nothing is encrypted yet. */
  encryptedBy: string | null;
  /** Ids of the master keys that encrypted webhooks' secrets, and the number of secrets for each. */
  secretsEncryptedBy: Readonly<Record<string, number>>;
  /** Hash of its oldest API key; null: there is none yet. */
  firstKeyHash: string | null;
  /** The text that the last start of an instance noted of its settings; null: none did. */
  settings: string | null;
  instances: Instance[];
}

export interface SqliteInspection extends Inspection {
  /** The largest stored time, in milliseconds since the epoch; 0: none. */
  latestAt: number;
  /** Texts and bytes in columns of numbers, by name, such as `ended.created_at (seq 12)`; the first few. */
  noNumbers: readonly string[];
}

export interface OldSnapshot {
  pid: number;
  /** The program's own name, such as `pg_dump`; may be empty. */
  application: string;
  /** Since its transaction began. */
  seconds: number;
}

export interface PostgresInspection extends Inspection {
  /** As `180004`. */
  serverVersion: number;
  /** Time of the server's clock in the middle of the inspection, in milliseconds since the epoch. */
  now: number;
  /** Shortest of some round trips, in milliseconds. */
  replyMs: number;
  encoding: string;
  synchronousCommit: string;
  synchronousStandbyNames: string;
  /** The `sync_state` of connected standbys; null if this user may not see it. */
  standbys: (string | null)[];
  fsync: boolean;
  fullPageWrites: boolean;
  walCompression: boolean;
  /** Size of the log at which it makes a checkpoint. */
  maxWalMib: number;
  /** The transaction that has kept deleted rows for longest; null: none, or this user may not see it. */
  oldestSnapshot: OldSnapshot | null;
  /** Indexes that the service does not need, and that are kept at each write and not used. */
  invalidIndexes: readonly string[];
  readOnly: boolean;
  /** Rights that the service needs and this user lacks, as a sentence; null: none. */
  lackingRights: string | null;
  encrypted: boolean;
  /** Most connections of this user to this database: the least of the server's, the role's and the database's limit. */
  connections: number;
  /** True if a pooler stands in between: the session is not the one that was opened. */
  pooled: boolean;
  /** Schema with the service's tables, where none are on this user's search path; null: there is none. */
  elsewhere: string | null;
}

import type { Kysely, Transaction } from "kysely";
import type { AuditKey } from "../hot/audit-chain.ts";
import type { Encryption } from "../encryption.ts";
import type { Tables } from "../tables.ts";

/** The context of everything outside the hot path: the same Kysely queries run on both databases. */
export interface ManagementContext {
  db: Kysely<Tables>;
  /**
   * Runs a transaction. On PostgreSQL the work runs again if a deadlock has undone it, so it must not change anything
   * but the database.
   */
  transact<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** For lists: a separate connection on SQLite, so that reads never wait for the writer. */
  reader: Kysely<Tables>;
  encryption: Encryption;
  /** Key of the hashes that stand for users and for imported webhooks. */
  dedupeSecret: Buffer;
  /** Key of the chain of audit rows. */
  auditKey: AuditKey;
  /** Operations for which Kysely has no dialect-neutral form. */
  dialect: {
    /** Locks these numbers (`orderLock`) until the transaction ends, then takes ascending numbers. */
    takeInOrder(
      trx: Transaction<Tables>,
      orderLocks: readonly number[],
      count: number,
    ): Promise<number[]>;
    /**
     * Locks these rows, by id, until the transaction ends. Later reads of them decide on the newest state. A row that is
     * read later and is not among the returned ids was inserted meanwhile, and others may change it.
     */
    lockRows(
      trx: Transaction<Tables>,
      table: "api_keys" | "resources" | "webhooks",
      ids: readonly string[],
    ): Promise<ReadonlySet<string>>;
    /** Deletes made inside are final, as far as the database can: freed bytes are overwritten. */
    overwriting<T>(trx: Transaction<Tables>, work: () => Promise<T>): Promise<T>;
    /** Removes the content of erased events from keys that are not in a generation yet. */
    eraseNewKeys(db: Kysely<Tables>): Promise<void>;
    /** Called after that: removes the content from the write-ahead log too. */
    emptyLog(): Promise<void>;
  };
  webhooksChanged(nos: number[]): void;
  deliveriesReady(): void;
  /** Called for events that cannot be erased yet, because an instance holds deliveries of theirs. */
  eventsErasing(seqs: number[]): void;
}

/** Milliseconds since the epoch, by the database's clock. */
export async function databaseNow(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectNoFrom((eb) => eb.fn<number>("mh_now", []).as("now"))
    .executeTakeFirstOrThrow();
  return Number(row.now);
}

/** Larger than every delivery number. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER;

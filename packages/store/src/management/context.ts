import type { Kysely, Transaction } from "kysely";
import type { AuditKey } from "../hot/audit-chain.ts";
import type { Encryption } from "../encryption.ts";
import type { Tables } from "../tables.ts";

/** What the parts that are not hot need: the same Kysely queries run on both databases. */
export interface ManagementContext {
  db: Kysely<Tables>;
  /** For lists: a connection of its own on SQLite, so that reading never waits for the writer. */
  reader: Kysely<Tables>;
  encryption: Encryption;
  /** Of the chain of audit rows. */
  auditKey: AuditKey;
  /** What Kysely has no dialect-neutral words for. */
  dialect: {
    /** Holds these (`orderLock`) until the transaction ends, then takes ascending numbers. */
    takeInOrder(
      trx: Transaction<Tables>,
      orderLocks: readonly number[],
      count: number,
    ): Promise<number[]>;
    /** Locks these rows, by id, until the transaction ends; who reads them after that decides on the newest. */
    lockRows(
      trx: Transaction<Tables>,
      table: "api_keys" | "resources" | "webhooks",
      ids: readonly string[],
    ): Promise<void>;
    /** What this does deletes for good, as far as the database can: not only marks as free what it leaves behind. */
    overwriting<T>(trx: Transaction<Tables>, work: () => Promise<T>): Promise<T>;
    /** Takes the content of erased events from keys that are not in a generation yet. */
    eraseNewKeys(db: Kysely<Tables>): Promise<void>;
    /** After that: nothing of it shall be left where changes are written first. */
    emptyLog(): Promise<void>;
  };
  webhooksChanged(nos: number[]): void;
  deliveriesReady(): void;
}

/** Milliseconds since the epoch, by the database's clock. */
export async function databaseNow(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectNoFrom((eb) => eb.fn<number>("mh_now", []).as("now"))
    .executeTakeFirstOrThrow();
  return Number(row.now);
}

/** Above every delivery number. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER;

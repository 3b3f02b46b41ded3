import type { Store } from "../port/store.ts";
import type { Tables } from "../tables.ts";

/** What a dialect hands to the suite: a store on a database of its own, and what tests need next to the port. */
export interface Harness {
  readonly store: Store;
  /** Moves the database's clock. */
  advance(ms: number): Promise<void>;
  /** Closes the store and opens it again on the same database. */
  reopen(): Promise<Store>;
  /** A second instance on the same database. Null where one process owns the store. */
  openAnother: (() => Promise<Store>) | null;
  /** All rows as they stand, for facts that the port rightly does not show. */
  rows(table: TableName): Promise<Row[]>;
  /** Names of all tables. */
  tables(): Promise<string[]>;
  /** As somebody would who has got hold of the database. */
  tamper(sql: string): Promise<void>;
  close(): Promise<void>;
}

type Row = Record<string, unknown>;
type TableName = keyof Tables;
export type OpenHarness = () => Promise<Harness>;

import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { shortHash } from "../hot/key-hash-and-generation.ts";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { readAgain, readAll } from "./read-rows.ts";

export type Row = Record<string, unknown>;

/**
 * Lists make statements of many lengths. Above this number the oldest one is dropped, and prepared again when needed.
 */
const MOST_STATEMENTS = 400;
const WRITER_CACHE_KIB = 16 * 1024;
const READER_CACHE_KIB = 8 * 1024;
/** A wall clock that is this far after the last stored time may be wrong; it has this long to be corrected. */
const LONG_GAP_MS = 24 * 3600 * 1000;
const DOUBT_MS = 3600 * 1000;

/** How long it waits for another connection's lock. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * One connection of the worker thread, with its clock and its counters.
 *
 * The clock is the wall clock at opening plus monotonic time. It continues from the largest stored time if the wall
 * clock was set back meanwhile. So a jump of the wall clock moves no due time. Counters are kept in memory and written
 * with each commit.
 */
export class Connection {
  readonly readOnly: boolean;
  /** Its file and its log, by path, as they were when they were first seen. */
  readonly #files = new Map<string, string>();
  readonly #paths: readonly string[];
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #lists = new Map<string, StatementSync>();
  readonly #wallNow: () => number;
  readonly #monotonicNow: () => number;
  #clockBase = 0;
  #advanced = 0;
  /** Its clock without the gap since the last stored time, and until when that clock is used. */
  #doubt: { base: number; until: number } | null = null;
  #number = 0;
  #instanceNo = 0;
  #grouping = false;
  /** Undo functions for a rollback: of the open transaction and, in a group, of the one inside it. */
  readonly #undo: (() => void)[][] = [];

  /** A reader writes nothing. It has exactly the clock of the connection that its base comes from. */
  constructor(
    path: string | URL,
    wallNow: () => number,
    monotonicNow: () => number,
    reader: { clockBase: number } | null = null,
  ) {
    const readOnly = reader !== null;
    this.readOnly = readOnly;
    this.#paths = typeof path !== "string" || path === ":memory:" ? [] : [path, `${path}-wal`];
    this.#db = new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT_MS });
    this.#wallNow = wallNow;
    this.#monotonicNow = monotonicNow;
    this.#clockBase = reader?.clockBase ?? wallNow() - monotonicNow();
    this.now = () => Math.floor(this.#clockBase + monotonicNow());
    if (!readOnly) {
      this.#db.exec("pragma journal_mode = wal");
      this.#db.exec("pragma synchronous = full");
      this.#db.exec("pragma wal_autocheckpoint = 10000");
      // Deleted content is overwritten if its page is written anyway.
      this.#db.exec("pragma secure_delete = fast");
    }
    this.#db.exec(`pragma cache_size = -${readOnly ? READER_CACHE_KIB : WRITER_CACHE_KIB}`);
    this.#db.exec("pragma temp_store = memory");
    this.#db.function("mh_now", () => this.now());
    this.#db.function("mh_settled_notices", () => Number.MAX_SAFE_INTEGER);
    this.#db.function("mh_short_hash", { deterministic: true }, (text) =>
      Buffer.from(shortHash(String(text)), "hex"),
    );
    this.#db.function("mh_next", () => this.takeNumbers(1)[0] ?? 0);
  }

  /** Milliseconds since the epoch. */
  readonly now: () => number;

  /** Its clock at monotonic time 0, for a connection that has to use the same clock. */
  get clockBase(): number {
    return this.#clockBase;
  }

  /**
   * The time for pruning: never later than the machine's clock now. After a long gap that clock may be wrong (a machine
   * that starts in the wrong year). So for an hour, until it was set, the gap does not count.
   */
  pruneNow(): number {
    const now = Math.min(this.now(), this.#wall());
    const at = this.#monotonicNow();
    if (this.#doubt === null || at >= this.#doubt.until) return Math.floor(now);
    return Math.floor(Math.min(now, this.#doubt.base + at + this.#advanced));
  }

  #wall(): number {
    return this.#wallNow() + this.#advanced;
  }

  /** For tests of due times: acts as if this time had passed, on the machine's clock too. */
  advance(ms: number): void {
    this.#clockBase += ms;
    this.#advanced += ms;
  }

  /** Call after migrations: reads the stored counters. */
  loadCounters(): void {
    const value = (name: string): number =>
      Number(this.get("select value from counters where name = ?", name)?.["value"] ?? 0);
    this.#number = value("number");
    this.#instanceNo = value("instance");
    const stored = value("clock");
    const at = this.#monotonicNow();
    if (stored > 0 && this.now() - stored > LONG_GAP_MS) {
      this.#doubt = { base: stored - at, until: at + DOUBT_MS };
    }
    this.#clockBase += Math.max(0, stored - this.now());
    this.#checkFiles();
  }

  takeNumbers(count: number): number[] {
    const first = this.#number + 1;
    this.#number += count;
    return Array.from({ length: count }, (_, index) => first + index);
  }

  takeInstanceNo(): number {
    this.#instanceNo += 1;
    return this.#instanceNo;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
      if (this.#statements.size > MOST_STATEMENTS) {
        const [oldest] = this.#statements.keys();
        if (oldest !== undefined) this.#statements.delete(oldest);
      }
    }
    return statement;
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    const statement = this.statement(sql);
    try {
      return statement.get(...values);
    } catch (error) {
      return readAgain<Row>(statement, values, error)[0];
    }
  }

  /** Whether the statement finds a row. */
  has(sql: string, ...values: SQLInputValue[]): boolean {
    return this.get(sql, ...values) !== undefined;
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return readAll(this.statement(sql), values);
  }

  /**
   * Returns rows as lists of their columns, for constant statements that run for each event; objects cost twice as
   * much.
   */
  lists(sql: string, ...values: SQLInputValue[]): unknown[][] {
    let statement = this.#lists.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql, { returnArrays: true });
      this.#lists.set(sql, statement);
    }
    return readAll(statement, values);
  }

  /** Runs a write. `run` also returns the number of changed rows, which costs as much as a small insert. */
  write(sql: string, ...values: SQLInputValue[]): void {
    this.statement(sql).get(...values);
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).changes);
  }

  begin(): void {
    // A full disk ends the group's transaction: later writes would run in transactions, and commits, of their own.
    if (this.#grouping && !this.#db.isTransaction)
      throw new Error("the shared transaction is gone");
    if (!this.#grouping) this.#checkFiles();
    this.#db.exec(this.#grouping ? "savepoint part" : "begin immediate");
    this.#undo.push([]);
  }

  commit(): void {
    if (this.#grouping) {
      this.#db.exec("release part");
    } else {
      this.#saveCounters();
      this.#db.exec("commit");
    }
    const undo = this.#undo.pop() ?? [];
    this.#undo.at(-1)?.push(...undo);
  }

  /** Registers an undo function for data in memory, for a rollback of the open transaction. */
  onRollback(undo: () => void): void {
    this.#undo.at(-1)?.push(undo);
  }

  rollback(): void {
    for (const undo of this.#undo.pop()?.toReversed() ?? []) undo();
    // A failed commit, or a full disk, may have ended the transaction already.
    if (!this.#db.isTransaction) return;
    this.#db.exec(this.#grouping ? "rollback to part; release part" : "rollback");
  }

  /**
   * Transactions inside share one commit. One that fails rolls back only itself. They are not durable before this
   * resolves; if it rejects, none of them happened.
   */
  async group(work: () => Promise<void>): Promise<void> {
    this.begin();
    this.#grouping = true;
    try {
      await work();
      this.#grouping = false;
      this.commit();
    } catch (error) {
      this.#grouping = false;
      this.rollback();
      throw error;
    }
  }

  transaction<T>(work: () => T): T {
    this.begin();
    try {
      const result = work();
      this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#lists.clear();
    this.#db.close();
  }

  /** Writes into a file that was deleted, or moved away, are lost when this process ends. */
  #checkFiles(): void {
    for (const path of this.#paths) {
      const [known, now] = [this.#files.get(path), fileAt(path)];
      if (now === known || now === null) continue;
      if (known === undefined) {
        // There is no log before the first write.
        if (now !== "") this.#files.set(path, now);
        continue;
      }
      const what = now === "" ? "is gone" : "is another file now";
      throw Object.assign(
        new Error(`${path} ${what}, so nothing is written: it would be lost at the next start`),
        { code: "ERR_SQLITE_ERROR", errcode: MOVED },
      );
    }
  }

  #saveCounters(): void {
    this.write("update counters set value = ? where name = 'number'", this.#number);
    this.write("update counters set value = ? where name = 'instance'", this.#instanceNo);
    this.write("update counters set value = ? where name = 'clock'", this.now());
  }
}

const noTime = (): number => 0;

/** For work that does not use the time. */
export function connectWithoutClock(path: string): Connection {
  return new Connection(path, noTime, noTime);
}

/**
 * For a look at a database from outside, which a service may use. Where there is no log, nobody uses it, and it is read as a
 * file that does not change. Otherwise SQLite would make a log, and a connection that only reads leaves it there.
 */
export function openForLook(path: string): Connection {
  const unused = pathToFileURL(path);
  unused.searchParams.set("immutable", "1");
  return new Connection(existsSync(`${path}-wal`) ? path : unused, noTime, noTime, {
    clockBase: 0,
  });
}

/** SQLite's own code, `SQLITE_READONLY_DBMOVED`. It does not look where there is a write-ahead log. */
const MOVED = 1032;

/** Tells files apart; empty: there is none. Null where that cannot be known. */
function fileAt(path: string): string | null {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? "" : `${stat.dev} ${stat.ino}`;
  } catch {
    return null;
  }
}

import { MarkethookError } from "@markethook/protocol";
import { createEncryption } from "../encryption.ts";
import { withClient } from "../postgres/direct-client.ts";
import { listPostgresMigrations, upgradePostgres } from "../postgres/migrate.ts";
import { MoveTarget } from "../postgres/move.ts";
import { startError } from "../postgres/rights.ts";
import { ENCRYPTED_META } from "../rotate-master-key.ts";
import { lockFolder, requireDatabase } from "../sqlite/folder-lock.ts";
import { findMoved, forgetMoved, noteMoved } from "../sqlite/moved-mark.ts";
import { type MoveSource, openMoveSource } from "../sqlite/move.ts";
import { revive } from "../sqlite/worker-client.ts";
import type { Cell, MovedTable } from "./moved-tables.ts";

export interface MoveOptions {
  /** The data folder. */
  folder: string;
  /** Of the PostgreSQL database, past a pooler. */
  url: string;
  /** The database in words, without a password: for the mark in the folder. */
  to: string;
  masterKeys: readonly Uint8Array[];
  /** ISO 8601. */
  now(): string;
  /** Called while a table is copied, and at its end. */
  onRows(table: string, done: number, total: number): void;
}

export interface MoveOutcome {
  /** False: an earlier run had brought everything there. */
  moved: boolean;
  /** Rows by table, as counted on both sides. */
  rows: Record<string, number>;
}

/** A batch ends at either. One row may be larger. */
const BATCH_ROWS = 4000;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Copies all that the folder's database has into an empty PostgreSQL database, in one transaction, and marks the folder
 * so that it does not start by accident. A run that is cut leaves both as they were.
 * @throws `data_dir_in_use`, `moved_to_postgresql`, `database_not_empty`, `row_not_movable`, `master_key_wrong`, `outcome_unknown`
 */
export async function moveToPostgres(options: MoveOptions): Promise<MoveOutcome> {
  const { folder, url, to } = options;
  requireDatabase(folder);
  const release = lockFolder(folder, to);
  try {
    const source = openMoveSource(folder);
    try {
      requireKey(source, options.masterKeys);
      await makeTables(url);
      return await withClient(url, (client) =>
        move(source, new MoveTarget(client, source.tables), options),
      );
    } finally {
      source.close();
    }
  } catch (error) {
    const isOfSqlite = error instanceof Error && "code" in error && error.code === SQLITE;
    throw isOfSqlite
      ? revive({ name: error.name, message: error.message, extra: { ...error } })
      : startError(error);
  } finally {
    release();
  }
}

const SQLITE = "ERR_SQLITE_ERROR";

/** Otherwise the service would find out, after the move. */
function requireKey({ dedupeSecret }: MoveSource, masterKeys: readonly Uint8Array[]): void {
  if (dedupeSecret === null) return;
  try {
    createEncryption(masterKeys).decrypt(dedupeSecret, ENCRYPTED_META);
  } catch (cause) {
    throw new MarkethookError("master_key_wrong", { cause });
  }
}

/** A database with tables of an earlier version is somebody's: it is not upgraded, only to be refused then. */
async function makeTables(url: string): Promise<void> {
  const states = await listPostgresMigrations(url);
  if (states.some(({ applied }) => applied) && states.some(({ applied }) => !applied)) {
    throw new MarkethookError("database_not_empty", {
      detail: "The PostgreSQL database has tables of an earlier version.",
    });
  }
  await upgradePostgres(url);
}

async function move(
  source: MoveSource,
  target: MoveTarget,
  { folder, to, now, onRows }: MoveOptions,
): Promise<MoveOutcome> {
  // Without the mark the folder may have been in use since it was moved.
  const begun = findMoved(folder) !== null;
  if ((await target.begin(begun ? source.dedupeSecret : null)) === "same")
    return { moved: false, rows: {} };
  const rows: Record<string, number> = {};
  for (const table of source.tables) {
    const total = source.count(table);
    await copy(source, target, table, (done) => onRows(table.name, done, total));
    requireSame(table, total, await target.count(table));
    rows[table.name] = total;
  }
  await target.setNumbers(source.numbers);
  await target.analyze();
  noteMoved(folder, to, now());
  const { undone } = await target.commit();
  if (undone === null) return { moved: true, rows };
  forgetMoved(folder);
  throw undone;
}

/** Reads a batch while the one before is written. */
async function copy(
  source: MoveSource,
  target: MoveTarget,
  table: MovedTable,
  onDone: (done: number) => void,
): Promise<void> {
  let writing = Promise.resolve();
  let done = 0;
  for (const batch of batches(source.rows(table))) {
    await writing;
    onDone(done);
    done += batch.length;
    writing = target.insert(table, batch);
    // If reading fails first, that is the error to report.
    writing.catch(() => undefined);
  }
  await writing;
  onDone(done);
}

function* batches(rows: Iterable<Cell[]>): Iterable<Cell[][]> {
  let batch: Cell[][] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    for (const cell of row) bytes += cell instanceof Uint8Array ? cell.length : 0;
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** SQLite counts by an index, which a fault of a disk can make differ from its table. */
function requireSame({ name }: MovedTable, read: number, written: number): void {
  if (read === written) return;
  throw new MarkethookError("row_not_movable", {
    detail: `${name} has ${read} rows in SQLite, and ${written} came to PostgreSQL: run pragma integrity_check on the SQLite database.`,
  });
}

import type { SQLInputValue, StatementSync } from "node:sqlite";
import { safeNumber } from "../hot/rows.ts";

const RETURNING = /\breturning\b/i;

/** Objects, or lists of columns where the statement was prepared for these. */
export function readAll<Row extends object>(
  statement: StatementSync,
  values: readonly SQLInputValue[],
): Row[] {
  try {
    return statement.all(...values) as unknown as Row[]; // The types know objects only.
  } catch (error) {
    return readAgain(statement, values, error);
  }
}

/**
 * For an integer above 2^53 Node refuses all rows of the statement. They are read again, as `bigint`. A statement that
 * changes rows and returns them cannot be run again.
 */
export function readAgain<Row extends object>(
  statement: StatementSync,
  values: readonly SQLInputValue[],
  error: unknown,
): Row[] {
  const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
  if (!isTooLarge || RETURNING.test(statement.sourceSQL)) throw error;
  statement.setReadBigInts(true);
  try {
    const rows = statement.all(...values) as unknown as Row[]; // As above.
    for (const row of rows)
      for (const [column, value] of Object.entries(row))
        if (typeof value === "bigint") Object.assign(row, { [column]: safeNumber(value) });
    return rows;
  } finally {
    statement.setReadBigInts(false);
  }
}

/**
 * SQLite keeps any value in any column. A text or bytes in one of these columns, written by hand or by a fault of a disk,
 * are read as a number above 2^53 is: as the largest one.
 */
export function replaceNoNumbers(rows: unknown[][], columns: readonly number[]): void {
  for (const row of rows)
    for (const at of columns)
      if (typeof row[at] === "string" || row[at] instanceof Uint8Array)
        row[at] = Number.MAX_SAFE_INTEGER;
}

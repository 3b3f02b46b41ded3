import { byteaArray, int2Array, int4Array, int8Array, textArray } from "./binary-array.ts";

/** Its type, and its value in a row. Bytes are given as hexadecimal digits. */
export type Column<T> =
  | readonly [type: "bigint" | "int" | "smallint", value: (row: T) => number | null]
  | readonly [type: "text", value: (row: T) => string | null]
  | readonly [type: "bytea", value: (row: T) => string];

/**
 * Parts of a statement over many rows, made from one list of their columns. Each column is an array, and these are the
 * first parameters.
 */
export function columnList<T>(columns: Readonly<Record<string, Column<T>>>) {
  const list = Object.values(columns);
  const casts = list.map(([type], index) => `$${index + 1}::${type}[]`);
  return {
    /** For `insert into table (…)`, and for `as i (…)`. */
    names: Object.keys(columns).join(", "),
    /** For `from unnest(…)`. */
    casts: casts.join(", "),
    /**
     * For `select …`. There each value goes directly into its row. `from unnest(…)` stores every array as rows first,
     * which costs up to a tenth of the insert.
     */
    unnested: casts.map((cast) => `unnest(${cast})`).join(", "),
    /** The parameters. */
    arrays: (rows: readonly T[]): Buffer[] => list.map((column) => arrayOf(column, rows)),
  };
}

function arrayOf<T>(column: Column<T>, rows: readonly T[]): Buffer {
  switch (column[0]) {
    case "smallint":
      return int2Array(rows.map(column[1]));
    case "int":
      return int4Array(rows.map(column[1]));
    case "bigint":
      return int8Array(rows.map(column[1]));
    case "text":
      return textArray(rows.map(column[1]));
    case "bytea":
      return byteaArray(rows.map(column[1]));
  }
}

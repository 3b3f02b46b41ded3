import { MarkethookError } from "@markethook/protocol";
import { expectedShape } from "../expected-shape.ts";
import { MIGRATIONS } from "../sqlite/migrations/index.ts";

/** A value on its way: numbers exactly, texts and bytes as the bytes that they are. */
export type Cell = bigint | Uint8Array | null;

export interface MovedColumn {
  name: string;
  kind: "number" | "text" | "bytes";
  /** Part of what names a row. */
  isKey: boolean;
}

export interface MovedTable {
  name: string;
  columns: readonly MovedColumn[];
}

/** Names of all tables and columns that both databases have. So those of a later migration are moved, too. */
export function movedNames(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const part of expectedShape(MIGRATIONS.length)) {
    const [, table, column] = /^column ([^.]+)\.(.+)$/.exec(part) ?? [];
    if (table === undefined || column === undefined) continue;
    names.set(table, [...(names.get(table) ?? []), column]);
  }
  return names;
}

/** @returns the error that stops the move: it names the row. */
export function notMovable(table: MovedTable, row: readonly Cell[], why: string): MarkethookError {
  return new MarkethookError("row_not_movable", {
    detail: `The row ${rowName(table, row)} of ${table.name} cannot be moved: ${why}.`,
  });
}

/** Such as `seq 5`. */
export function rowName({ columns }: MovedTable, row: readonly Cell[]): string {
  return columns
    .flatMap(({ name, kind, isKey }, at) => (isKey ? [`${name} ${shown(row[at], kind)}`] : []))
    .join(", ");
}

function shown(cell: Cell | undefined, kind: MovedColumn["kind"]): string {
  if (!(cell instanceof Uint8Array)) return String(cell);
  return Buffer.from(cell).toString(kind === "text" ? "utf8" : "hex");
}

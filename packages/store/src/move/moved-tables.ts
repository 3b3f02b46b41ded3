import { MarkethookError } from "@markethook/protocol";

/** A value on its way: numbers exactly, texts and bytes as the bytes that they are. */
export type Cell = bigint | Uint8Array | null;

export interface MovedColumn {
  name: string;
  kind: "number" | "text" | "bytes";
  /** Part of the key that names a row. */
  isKey: boolean;
}

export interface MovedTable {
  name: string;
  columns: readonly MovedColumn[];
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

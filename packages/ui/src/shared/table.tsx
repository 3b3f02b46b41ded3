import type { ReactNode } from "react";
import classes from "./table.module.css";

export interface TableProps<Row> {
  title: string;
  columns: readonly (readonly [head: string, cell: (row: Row) => ReactNode])[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table in a frame that scrolls. Its first column names the row. */
export function Table<Row>({ title, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className={classes["scroll"]} tabIndex={0} role="region" aria-label={title}>
      <table className={classes["table"]}>
        <thead>
          <tr>
            {columns.map(([name]) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(([name, cell], index) =>
                index === 0 ? (
                  <th key={name} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name}>{cell(row)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

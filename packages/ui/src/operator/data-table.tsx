import type { ReactNode } from "react";
import { Panel } from "../shared/panel.tsx";
import classes from "./data-table.module.css";

interface DataTableProps<Row> {
  title: string;
  about?: string;
  columns: readonly (readonly [head: string, cell: (row: Row) => ReactNode])[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Instead of rows, where there are none. */
  none: string;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { title, about, columns, rows, keyOf, none } = props;
  return (
    <Panel title={title} about={about}>
      {rows.length === 0 ? (
        <p className={classes["none"]}>{none}</p>
      ) : (
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
                  {columns.map(([name, cell]) => (
                    <td key={name}>{cell(row)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

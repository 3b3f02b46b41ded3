import type { ReactNode } from "react";
import { Panel } from "../shared/panel.tsx";
import classes from "./data-table.module.css";

interface DataTableProps {
  title: string;
  about?: string;
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** Instead of rows, where there are none. */
  none: string;
}

export function DataTable({ title, about, head, rows, none }: DataTableProps) {
  return (
    <Panel title={title} about={about}>
      {rows.length === 0 ? (
        <p className={classes["none"]}>{none}</p>
      ) : (
        <div className={classes["scroll"]} tabIndex={0} role="region" aria-label={title}>
          <table className={classes["table"]}>
            <thead>
              <tr>
                {head.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, cells }) => (
                <tr key={key}>
                  {cells.map((cell, index) => (
                    <td key={head[index] ?? index}>{cell}</td>
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

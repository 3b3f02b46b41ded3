import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { Table, type TableProps } from "../shared/table.tsx";

type DataTableProps<Row> = TableProps<Row> & {
  about?: string;
  /** Instead of rows, where there are none. */
  none: string;
};

export function DataTable<Row>({ about, none, ...table }: DataTableProps<Row>) {
  return (
    <Panel title={table.title} about={about}>
      {table.rows.length === 0 ? <p className={stack["dimmed"]}>{none}</p> : <Table {...table} />}
    </Panel>
  );
}

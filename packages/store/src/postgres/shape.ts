import type { Client } from "pg";

/** Of the schema in which tables are made. */
const SHAPE = `
select 'table ' || table_name as part from information_schema.tables
where table_schema = current_schema() and table_type = 'BASE TABLE'
union all
select 'column ' || table_name || '.' || column_name from information_schema.columns
where table_schema = current_schema()
union all
select 'index ' || indexname from pg_indexes where schemaname = current_schema()`;

/** Returns the names of existing tables, columns and indexes. */
export async function readShape(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ part: string }>(SHAPE);
  return new Set(rows.map(({ part }) => part));
}

import type { Client } from "pg";
import { INVALID } from "../expected-shape.ts";
import { SCHEMA } from "./rights.ts";

/** From the catalogue, which has also what this user may not read. */
const SHAPE = `
select 'table ' || relname as part from pg_class where relnamespace = ${SCHEMA} and relkind = 'r'
union all
select 'column ' || relname || '.' || attname from pg_class join pg_attribute on attrelid = pg_class.oid
where relnamespace = ${SCHEMA} and relkind = 'r' and attnum > 0 and not attisdropped
union all
select 'index ' || relname || case when indisvalid then '' else '${INVALID}' end
from pg_class join pg_index on indexrelid = pg_class.oid
where relnamespace = ${SCHEMA} and relkind = 'i'`;

/** Returns the names of existing tables, columns and indexes. */
export async function readShape(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ part: string }>(SHAPE);
  return new Set(rows.map(({ part }) => part));
}

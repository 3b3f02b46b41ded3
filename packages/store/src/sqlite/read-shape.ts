import type { Connection } from "./connection.ts";

/** Number of migrations of the database. */
export function storedVersion(db: Connection): number {
  return Number(db.get("pragma user_version")?.["user_version"] ?? 0);
}

/** Returns the names of existing tables, columns and indexes. */
export function readShape(db: Connection): Set<string> {
  const shape = new Set<string>();
  const tables = db.all(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  );
  for (const { name } of tables) {
    shape.add(`table ${String(name)}`);
    for (const column of db.all("select name from pragma_table_info(?)", String(name))) {
      shape.add(`column ${String(name)}.${String(column["name"])}`);
    }
  }
  const indexes = db.all("select name from sqlite_master where type = 'index' and sql is not null");
  for (const { name } of indexes) shape.add(`index ${String(name)}`);
  return shape;
}

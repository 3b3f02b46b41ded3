import { join } from "node:path";
import { tableColumns } from "../expected-shape.ts";
import { type Cell, type MovedColumn, type MovedTable, notMovable } from "../move/moved-tables.ts";
import { type Connection, connectWithoutClock } from "./connection.ts";
import { checkEngine } from "./engine.ts";
import { DATABASE_FILE, noteHolder } from "./folder-lock.ts";
import { migrate } from "./migrate.ts";

/** One state of the database in a folder, for its move to PostgreSQL. */
export interface MoveSource {
  tables: readonly MovedTable[];
  count(table: MovedTable): number;
  /** One by one; the memory stays the same for any number of them. */
  rows(table: MovedTable): Iterable<Cell[]>;
  /** The highest numbers that were given out: of events and deliveries, of instances, and by table. */
  numbers: { number: number; instance: number; byTable: ReadonlyMap<string, number> };
  /** Encrypted; null in a database that no service has opened. */
  dedupeSecret: string | null;
  close(): void;
}

/** Keys that were not moved into their generation yet are part of it: see `new-keys.ts`. */
const KEYS = `(
  select generation, key, body_hash, event_seq, tag from idempotency_keys
  union all
  select newest, key, body_hash, event_seq, tag
  from new_keys n, (select max(no) as newest from key_generations)
  where not exists (select 1 from idempotency_keys k where k.generation = newest and k.key = n.key)
)`;
const KEYS_TABLE = "idempotency_keys";

const KINDS: Readonly<Record<string, MovedColumn["kind"]>> = {
  INTEGER: "number",
  TEXT: "text",
  BLOB: "bytes",
};

/** Brings the database to this version first. The folder's lock must be held. */
export function openMoveSource(folder: string): MoveSource {
  checkEngine();
  const db = connectWithoutClock(join(folder, DATABASE_FILE));
  try {
    migrate(db);
    noteHolder(folder);
    // All that is read from now on is of one state. The counters stay as they are, because nothing commits.
    db.exec("begin");
    return readFrom(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function readFrom(db: Connection): MoveSource {
  const counters = new Map(
    db.all("select name, value from counters").map((row) => [row["name"], Number(row["value"])]),
  );
  const secret = db.get("select value from meta where key = 'dedupe_secret'")?.["value"];
  return {
    // So those of a later migration are moved, too.
    tables: [...tableColumns()].map(([name, columns]) => tableOf(db, name, columns)),
    count: (table) => Number(db.get(`select count(*) as count from ${placeOf(table)}`)?.["count"]),
    rows: (table) => rowsOf(db, table),
    numbers: {
      number: counters.get("number") ?? 0,
      instance: counters.get("instance") ?? 0,
      byTable: new Map(
        db
          .all("select name, seq from sqlite_sequence")
          .map((row) => [String(row["name"]), Number(row["seq"])]),
      ),
    },
    dedupeSecret: typeof secret === "string" ? secret : null,
    close: () => db.close(),
  };
}

function placeOf({ name }: MovedTable): string {
  return name === KEYS_TABLE ? KEYS : name;
}

function tableOf(db: Connection, name: string, columns: readonly string[]): MovedTable {
  const known = new Map(
    db
      .all("select name, type, pk from pragma_table_info(?)", name)
      .map((row) => [row["name"], { kind: KINDS[String(row["type"])], isKey: row["pk"] !== 0 }]),
  );
  // A table without a key has all of its columns for one.
  const hasKey = [...known.values()].some(({ isKey }) => isKey);
  return {
    name,
    columns: columns.map((column) => {
      const { kind, isKey } = known.get(column) ?? {};
      if (kind === undefined) throw new Error(`${name}.${column} has a type that is not moved`);
      return { name: column, kind, isKey: isKey === true || !hasKey };
    }),
  };
}

function* rowsOf(db: Connection, table: MovedTable): Iterable<Cell[]> {
  const { columns } = table;
  // Texts as bytes: as a string one that is no UTF-8 would lose what is wrong with it.
  const read = columns.map(({ name, kind }) => (kind === "text" ? `cast(${name} as blob)` : name));
  const statement = db.statement(`select ${read.join(", ")} from ${placeOf(table)}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  // SQLite keeps any value in any column.
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<Cell[]>) {
    for (const [at, { name, kind }] of columns.entries()) {
      const cell: unknown = row[at];
      const fits = kind === "number" ? typeof cell === "bigint" : cell instanceof Uint8Array;
      if (!fits && cell !== null)
        throw notMovable(
          table,
          row,
          `${name} holds no ${kind === "number" ? "whole number" : "bytes"}`,
        );
    }
    yield row;
  }
}

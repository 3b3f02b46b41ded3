import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { SQLInputValue } from "node:sqlite";
import type { OperationCaller } from "./worker-client.ts";
import type { WriterLock } from "./writer-lock.ts";

/** Kysely over the worker thread. A transaction uses the writer alone until it ends. */
export function sqliteDialect(worker: OperationCaller, writerLock: WriterLock | null): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new WorkerDriver(worker, writerLock),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class WorkerDriver implements Driver {
  readonly #worker: OperationCaller;
  readonly #writerLock: WriterLock | null;
  readonly #release = new WeakMap<DatabaseConnection, () => void>();

  constructor(worker: OperationCaller, writerLock: WriterLock | null) {
    this.#worker = worker;
    this.#writerLock = writerLock;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<WorkerConnection> {
    const connection = new WorkerConnection(this.#worker, this.#writerLock === null);
    if (this.#writerLock !== null)
      this.#release.set(connection, await this.#writerLock.takeAlone());
    return connection;
  }

  async beginTransaction(connection: WorkerConnection): Promise<void> {
    connection.inTransaction = true;
    await this.#worker.call("begin");
  }

  async commitTransaction(connection: WorkerConnection): Promise<void> {
    connection.inTransaction = false;
    await this.#worker.call("commit");
  }

  async rollbackTransaction(connection: WorkerConnection): Promise<void> {
    connection.inTransaction = false;
    await this.#worker.call("rollback");
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#release.get(connection)?.();
  }

  async destroy(): Promise<void> {}
}

class WorkerConnection implements DatabaseConnection {
  inTransaction = false;
  readonly #worker: OperationCaller;
  readonly #readOnly: boolean;

  constructor(worker: OperationCaller, readOnly: boolean) {
    this.#worker = worker;
    this.#readOnly = readOnly;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const parameters = query.parameters as SQLInputValue[]; // Kysely passes through what our queries bind.
    const { columns, rows, changes } = this.#readOnly
      ? await this.#worker.call("read", query.sql, parameters)
      : await this.#worker.call("query", query.sql, parameters, this.inTransaction);
    return {
      rows: toObjects(columns, rows) as R[], // The query names its columns.
      numAffectedRows: BigInt(changes),
    };
  }

  // oxlint-disable-next-line require-yield -- the interface asks for it; nothing streams from SQLite
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("streaming is not supported");
  }
}

/** Each row is a filled-in copy of an object with all columns: adding column by column takes ten times the memory. */
function toObjects(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Record<string, unknown>[] {
  const empty: Record<string, unknown> = {};
  for (const column of columns) empty[column] = null;
  return rows.map((values) => {
    const row = { ...empty };
    // Without an iterator, because this runs for each column of each row.
    for (let index = 0; index < columns.length; index += 1)
      row[columns[index] ?? ""] = values[index];
    return row;
  });
}

import { createEncryption } from "../encryption.ts";
import type { Store } from "../port/store.ts";
import type { Tables } from "../tables.ts";
import { Connection, type Row } from "../sqlite/connection.ts";
import { migrate } from "../sqlite/migrate.ts";
import { assemble } from "../sqlite/open.ts";
import { TEST_OPTIONS } from "../sqlite/open-harness.ts";
import { createOperations, type Operations } from "../sqlite/operations.ts";
import { type OperationCaller, revive } from "../sqlite/worker-client.ts";

/** One for all, because each would set aside megabytes for what it decrypts. */
const ENCRYPTION = createEncryption(TEST_OPTIONS.masterKeys);

export interface MemoryStore extends Store {
  /** Takes back whatever was stored meanwhile, so that tests can begin at the same state again and again. */
  undone<T>(work: () => Promise<T>): Promise<T>;
  /** All rows as they stand, for facts that the port rightly does not show. */
  rows(table: keyof Tables): Row[];
  /** As somebody would who has got hold of the database. */
  tamper(sql: string): void;
}

/**
 * Closes the connections of stores that nobody has any more. SQLite holds the functions that a connection gave it, and
 * they hold the connection and the test's clock, so that an open one would stay for ever.
 */
const forgotten = new FinalizationRegistry<Connection>((db) => db.close());

/**
 * For tests: the real store on SQLite, in memory and on this thread, by the test's clock. It is closed at the latest
 * when nobody has it any more; the clock must not have it.
 */
export async function openMemoryStore({ now }: { now: () => number }): Promise<MemoryStore> {
  // The clock's two parts: it starts at 0 and goes on.
  const db = new Connection(":memory:", now, now);
  migrate(db);
  db.loadCounters();
  const operations: Operations = {
    ...createOperations(db, { baseUrl: TEST_OPTIONS.baseUrl }),
    // There is no log on a disk.
    cutLog: () => true,
  };
  const thread = new NoThread(operations);
  const { advanceClock: _, ...store } = await assemble(
    { ...TEST_OPTIONS, encryption: ENCRYPTION },
    thread.writer,
    thread.reader,
    async () => {
      forgotten.unregister(db);
      db.close();
    },
  );
  const memoryStore: MemoryStore = {
    ...store,
    rows: (table) => db.all(`select * from ${table}`),
    tamper: (sql) => db.exec(sql),
    async undone(work) {
      await thread.idle();
      const done: Awaited<ReturnType<typeof work>>[] = [];
      const takeBack = new Error("taken back");
      await db
        .group(async () => {
          done.push(await work());
          await thread.idle();
          throw takeBack;
        })
        .catch((error: unknown) => {
          if (error !== takeBack) throw error;
        });
      // It is there, because everything else was thrown.
      return done[0] as Awaited<ReturnType<typeof work>>;
    },
  };
  forgotten.register(memoryStore, db, db);
  return memoryStore;
}

/** Runs operations one after the other, as a thread does. One connection stands for both. */
class NoThread {
  readonly #operations: Operations;
  #last: Promise<unknown> = Promise.resolve();
  /** The open transaction of several operations, in which nobody else may read. */
  #transaction: PromiseWithResolvers<void> | null = null;

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  readonly writer: OperationCaller = {
    call: (operation, ...parameters) => {
      if (operation === "begin") this.#transaction = Promise.withResolvers();
      const done = this.#run(operation, parameters);
      const end = (): void => this.#endTransaction();
      if (operation === "begin") done.catch(end);
      if (operation === "commit") done.then(end, () => {});
      if (operation === "rollback") done.then(end, end);
      return done;
    },
  };

  readonly reader: OperationCaller = {
    call: (operation, ...parameters) =>
      this.#transaction === null
        ? this.#run(operation, parameters)
        : this.#transaction.promise.then(() => this.reader.call(operation, ...parameters)),
  };

  /** Resolves when all operations so far have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #run<Name extends keyof Operations>(
    operation: Name,
    parameters: Parameters<Operations[Name]>,
  ): Promise<Awaited<ReturnType<Operations[Name]>>> {
    // The operation and its parameters were paired by the types of `call`.
    const run = this.#operations[operation] as (...values: unknown[]) => unknown;
    const result = this.#last.then(async () => {
      try {
        // Messages between threads are copies.
        return structuredClone(await run(...structuredClone<unknown[]>(parameters)));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        throw revive({ name: error.name, message: error.message, extra: { ...error } });
      }
    });
    this.#last = result.catch(() => {});
    return result as Promise<Awaited<ReturnType<Operations[Name]>>>; // What `run` returns.
  }

  #endTransaction(): void {
    this.#transaction?.resolve();
    this.#transaction = null;
  }
}

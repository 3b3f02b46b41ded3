import type { KeyRow } from "../hot/accept-transaction.ts";
import { generationSpan } from "../hot/key-hash-and-generation.ts";
import type { Connection } from "./connection.ts";
import { KeyFilter } from "./key-filter.ts";
import { NewKeys, READ_AT_ONCE } from "./new-keys.ts";

/** Keys of the marketplace, and ids of updates. */
const MOST_KEYS_PER_EVENT = 2;
/** How many stored keys are added to a filter with each accepted event, until all are in it. */
const READ_PER_EVENT = 20;

interface GenerationFilter {
  filter: KeyFilter;
  /** The last key that was added to it; null: all were. */
  readUpTo: Uint8Array | null;
}

/**
 * Idempotency keys. An accept looks for its keys among the new ones, in memory, and then in each generation. Nearly all
 * are in none, and checking that on the disk reads a page of each generation. Once a generation's keys have been read,
 * a filter in memory answers instead.
 */
export class Keys {
  readonly #db: Connection;
  readonly #new: NewKeys;
  readonly #filters = new Map<number, GenerationFilter>();

  /** For the connection that writes; call it after migrations. */
  constructor(db: Connection, keptInMemory?: number) {
    this.#db = db;
    this.#new = new NewKeys(
      db,
      (generation, key) => this.#filterOf(generation).filter.add(keyBytes(key)),
      keptInMemory,
    );
  }

  /** Adds keys that no generation has. Returns the keys that existed. */
  claim(rows: readonly KeyRow[]): KeyRow[] {
    const generations = this.#listGenerations();
    const known: KeyRow[] = [];
    const added: KeyRow[] = [];
    for (const row of rows) {
      const found = this.#new.find(row.key) ?? this.#find(generations, row.key);
      if (found === undefined) {
        added.push(row);
        continue;
      }
      const [bodyHash, eventSeq, tag] = found;
      known.push({
        key: row.key,
        bodyHash: digits(bodyHash),
        eventSeq: Number(eventSeq),
        tag: String(tag),
      });
    }
    this.#new.add(added);
    return known;
  }

  /** Deletes keys that this transaction claimed. */
  drop(keys: readonly string[]): void {
    for (const key of keys) this.#new.drop(key);
  }

  /** The last step of each accept: claimed keys that were not dropped may be moved now. */
  move(events: number): void {
    if (events === 0) return;
    const generations = this.#listGenerations();
    this.#new.makeRoom(generations.at(-1) ?? 0, events * MOST_KEYS_PER_EVENT);
    this.#readIntoFilter(generations, events * READ_PER_EVENT);
  }

  /** Begins the next generation when it is time, and deletes rows of one whose youngest key is too old at `now`. */
  prune(now: number, idempotencyMs: number, limit: number): number {
    const db = this.#db;
    // Uses the clock of accepting, which may be ahead of the one for pruning.
    const [newest] = db.lists(
      "select max(no) from key_generations having max(began_at) <= ?",
      db.now() - generationSpan(idempotencyMs),
    );
    if (newest !== undefined) {
      const no = Number(newest[0]);
      if (!this.#new.moveAll(no, limit)) return limit;
      db.write("insert into key_generations (no, began_at) values (?, ?)", no + 1, db.now());
    }
    const old = db.get(
      `select no from key_generations g
       where exists (select 1 from key_generations n where n.no > g.no and n.began_at < ?)
       order by no limit 1`,
      now - idempotencyMs,
    );
    if (old === undefined) return 0;
    const no = Number(old["no"]);
    const deleted = db.run(
      `delete from idempotency_keys where generation = ?1
         and key in (select key from idempotency_keys where generation = ?1 order by key limit ?2)`,
      no,
      limit,
    );
    if (deleted > 0) return deleted;
    this.#filters.delete(no);
    return db.run("delete from key_generations where no = ?", no);
  }

  #find(generations: readonly number[], text: string): unknown[] | undefined {
    const key = keyBytes(text);
    for (const generation of generations) {
      const { filter, readUpTo } = this.#filterOf(generation);
      if (readUpTo === null && !filter.mayHave(key)) continue;
      const [row] = this.#db.lists(
        "select body_hash, event_seq, tag from idempotency_keys where generation = ? and key = ?",
        generation,
        key,
      );
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** A key that is in no generation, because its transaction was rolled back, does no harm in a filter. */
  #readIntoFilter(generations: readonly number[], most: number): void {
    for (let read = 0; read < most; read += READ_AT_ONCE) {
      const generation = generations.find((no) => this.#filterOf(no).readUpTo !== null);
      if (generation === undefined) return;
      const one = this.#filterOf(generation);
      const limit = Math.min(READ_AT_ONCE, most - read);
      const rows = this.#db.lists(
        "select key from idempotency_keys where generation = ? and key > ? order by key limit ?",
        generation,
        one.readUpTo,
        limit,
      );
      for (const [key] of rows) one.filter.add(bytes(key));
      one.readUpTo = rows.length < limit ? null : bytes(rows.at(-1)?.[0]);
    }
  }

  #filterOf(generation: number): GenerationFilter {
    let one = this.#filters.get(generation);
    if (one === undefined) {
      one = { filter: new KeyFilter(), readUpTo: new Uint8Array() };
      this.#filters.set(generation, one);
    }
    return one;
  }

  /** The oldest first; there is always one. */
  #listGenerations(): number[] {
    return this.#db.lists("select no from key_generations order by no").map(([no]) => Number(no));
  }
}

function digits(value: unknown): string {
  return Buffer.from(bytes(value)).toString("hex");
}

const BYTES = Buffer.alloc(16);

/** Returns the same buffer each time, valid until the next call: a new one for each key would be garbage. */
function keyBytes(key: string): Buffer {
  BYTES.write(key, "hex");
  return BYTES;
}

function bytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError("expected bytes in a stored key");
  return value;
}

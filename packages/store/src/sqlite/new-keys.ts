import type { KeyRow } from "../hot/accept-transaction.ts";
import type { Connection } from "./connection.ts";

/**
 * Keys on their way into the newest generation. Hashes come in random order; inserting each at once would write another
 * page into the log for each key. So they are appended to `new_keys` and found in memory, in buckets by their first
 * digits. Buckets move into the generation in turn, with each accept as many keys as it adds. Keys of one bucket share
 * their pages.
 *
 * appended --its bucket's turn--> in the newest generation too --the round has ended--> only there
 *
 * A rollback also reverts its changes of the buckets.
 */
const KEPT_IN_MEMORY = 131_072;
/** By a key's first digits. */
const BUCKET_DIGITS = 3;
const BUCKETS = 16 ** BUCKET_DIGITS;
/** Rows of keys. Each is an object while it is read; what thousands of them take, the process keeps. */
export const READ_AT_ONCE = 300;

/** A round through all buckets. At its end, all keys that existed at its start have been moved. */
interface Round {
  bucket: number;
  /** When it ends, all rows up to this one have been moved. */
  newest: number;
  /** Earlier rounds have moved all rows up to this one. */
  moved: number;
  /** The oldest remaining row. */
  oldest: number;
}

export class NewKeys {
  readonly #db: Connection;
  readonly #kept: number;
  readonly #onMoved: (generation: number, key: string) => void;
  /** Row numbers by key. */
  readonly #buckets = Array.from({ length: BUCKETS }, () => new Map<string, number>());
  #size = 0;
  #newest = 0;
  #round: Round;

  /** For the connection that writes, after migrations. Keys that were moved already are found in the generation. */
  constructor(
    db: Connection,
    onMoved: (generation: number, key: string) => void,
    kept = KEPT_IN_MEMORY,
  ) {
    this.#db = db;
    this.#kept = kept;
    this.#onMoved = onMoved;
    const [ends] = db.lists("select min(no), max(no) from new_keys");
    this.#newest = Number(ends?.[1] ?? 0);
    const [oldest, key] = this.#read() ?? [this.#newest + 1, "0"];
    this.#round = {
      // The oldest first, so that its bucket gets its turn even if the service often restarts.
      bucket: bucketOf(String(key)),
      newest: Number(oldest) - 1,
      moved: Number(oldest) - 1,
      oldest: Number(ends?.[0] ?? 1),
    };
  }

  find(key: string): unknown[] | undefined {
    const no = this.#numberOf(key);
    if (no === undefined) return undefined;
    return this.#db.lists("select body_hash, event_seq, tag from new_keys where no = ?", no)[0];
  }

  add(rows: readonly KeyRow[]): void {
    this.#db.onRollback(() => {
      for (const { key } of rows) this.#forget(key);
    });
    for (const { key, bodyHash, eventSeq, tag } of rows) {
      this.#newest += 1;
      this.#db.write(
        "insert into new_keys (no, key, body_hash, event_seq, tag) values (?, unhex(?), unhex(?), ?, ?)",
        this.#newest,
        key,
        bodyHash,
        eventSeq,
        tag,
      );
      this.#keep(key, this.#newest);
    }
  }

  /** Removes a key that this transaction added. */
  drop(key: string): void {
    const no = this.#numberOf(key);
    if (no === undefined) return;
    this.#db.write("delete from new_keys where no = ?", no);
    this.#forget(key);
  }

  /** Called with each accept, after its keys: moves about `most` of the next keys, and deletes moved ones. */
  makeRoom(generation: number, most: number): void {
    this.#keepRound();
    const { moved, oldest } = this.#round;
    if (oldest <= moved) {
      const last = Math.min(moved, oldest + 2 * most - 1);
      this.#db.write("delete from new_keys where no <= ?", last);
      this.#round.oldest = last + 1;
    }
    for (let count = 0; count < most && this.#size > this.#kept;) {
      count += this.#moveBucket(generation, this.#round.bucket);
      this.#round.bucket += 1;
      if (this.#round.bucket < BUCKETS) continue;
      this.#round = { ...this.#round, bucket: 0, newest: this.#newest, moved: this.#round.newest };
    }
  }

  /** Called before the next generation begins. Returns false if there were more than about `limit`. */
  moveAll(generation: number, limit: number): boolean {
    let count = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      if (count >= limit) return false;
      count += this.#moveBucket(generation, bucket);
    }
    this.#keepRound();
    this.#db.exec("delete from new_keys");
    const newest = this.#newest;
    this.#round = { bucket: 0, newest, moved: newest, oldest: newest + 1 };
    return true;
  }

  /** Fills the table. Returns the oldest row. */
  #read(): unknown[] | undefined {
    let oldest: unknown[] | undefined;
    for (let last = 0; ;) {
      const rows = this.#db.lists(
        `select no, lower(hex(key)) from new_keys n
         where no > ? and not exists (select 1 from idempotency_keys k
           where k.generation = (select max(no) from key_generations) and k.key = n.key)
         order by no limit ?`,
        last,
        READ_AT_ONCE,
      );
      for (const [no, key] of rows) this.#keep(String(key), Number(no));
      oldest ??= rows[0];
      if (rows.length < READ_AT_ONCE) return oldest;
      last = Number(rows.at(-1)?.[0]);
    }
  }

  #moveBucket(generation: number, bucket: number): number {
    const moved = [...(this.#buckets[bucket] ?? [])];
    if (moved.length === 0) return 0;
    for (const [key] of moved) this.#forget(key);
    this.#db.onRollback(() => {
      for (const [key, no] of moved) this.#keep(key, no);
    });
    this.#db.write(
      `insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
       select ?, n.key, n.body_hash, n.event_seq, n.tag
       from json_each(?) i cross join new_keys n on n.no = i.value
       order by n.key on conflict do nothing`,
      generation,
      JSON.stringify(moved.map(([, no]) => no)),
    );
    for (const [key] of moved) this.#onMoved(generation, key);
    return moved.length;
  }

  #numberOf(key: string): number | undefined {
    return this.#buckets[bucketOf(key)]?.get(key);
  }

  /** @param key one that it does not have */
  #keep(key: string, no: number): void {
    this.#buckets[bucketOf(key)]?.set(key, no);
    this.#size += 1;
  }

  #forget(key: string): void {
    if (this.#buckets[bucketOf(key)]?.delete(key) === true) this.#size -= 1;
  }

  #keepRound(): void {
    const before = { ...this.#round };
    this.#db.onRollback(() => {
      this.#round = before;
    });
  }
}

function bucketOf(key: string): number {
  return Number.parseInt(key.slice(0, BUCKET_DIGITS), 16);
}

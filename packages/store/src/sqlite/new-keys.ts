import type { KeyRow } from "../hot/accept-transaction.ts";
import type { Connection } from "./connection.ts";

/**
 * Keys on their way into the newest generation. Hashes come in no order, and each on a page of its own would write that
 * page into the log with each commit. So they are appended to `new_keys`, found by an index in memory, and moved in the
 * order of their hashes, as many with each accept as it adds: those that are moved together share their pages.
 *
 * appended --its turn in a round through all hashes--> in the newest generation too --the round has ended--> only there
 *
 * The index and the place of the round are temporary tables: what takes a transaction back takes them back with it.
 */
const KEPT_IN_MEMORY = 131_072;

/** Before and after every key. */
const FIRST = Buffer.alloc(0);
const BEYOND = Buffer.alloc(17, 0xff);

/** For the connection that writes, after migrations. Those that had been moved already are found where they are. */
export function openNewKeys(db: Connection): void {
  db.exec(`create temp table new_keys_by_key (key blob primary key, no integer not null) without rowid;
    insert into new_keys_by_key select key, no from new_keys n
      where not exists (select 1 from idempotency_keys k
        where k.generation = (select max(no) from key_generations) and k.key = n.key) order by key;
    create temp table new_keys_round (after blob not null, ends_at integer not null, ended_at integer not null);
    insert into new_keys_round values (x'', 0, 0)`);
}

export function findNewKey(db: Connection, key: Buffer): unknown[] | undefined {
  return db.lists(
    `select n.body_hash, n.event_seq, n.tag
     from new_keys_by_key i cross join new_keys n on n.no = i.no where i.key = ?`,
    key,
  )[0];
}

export function addNewKey(db: Connection, key: Buffer, row: KeyRow): void {
  const [added] = db.lists(
    "insert into new_keys (key, body_hash, event_seq, tag) values (?, ?, ?, ?) returning no",
    key,
    Buffer.from(row.bodyHash, "hex"),
    row.eventSeq,
    row.tag,
  );
  db.write("insert into new_keys_by_key (key, no) values (?, ?)", key, Number(added?.[0]));
}

/** One that this transaction added. */
export function dropNewKey(db: Connection, key: Buffer): void {
  db.write("delete from new_keys where no = (select no from new_keys_by_key where key = ?)", key);
  db.write("delete from new_keys_by_key where key = ?", key);
}

/** Called with each accept, after its keys: moves up to `most` of the next ones, and deletes such as were moved. */
export function makeRoom(
  db: Connection,
  generation: number,
  most: number,
  kept = KEPT_IN_MEMORY,
): void {
  const [state] = db.lists(
    `select (select min(no) from new_keys), (select max(no) from new_keys), after, ends_at, ended_at
     from new_keys_round`,
  );
  const [oldest, newest, after, endsAt, endedAt] = state ?? [];
  if (Number(newest ?? 0) - Number(endedAt) <= kept) return;
  if (Number(oldest) <= Number(endedAt)) {
    db.write(
      "delete from new_keys where no <= ?",
      Math.min(Number(endedAt), Number(oldest) + 2 * most),
    );
  }
  const from = bytes(after);
  // Whatever is there when a round begins has been moved when it ends.
  const end = Number(from.length === 0 ? newest : endsAt);
  const last = move(db, generation, from, most);
  if (last === null) {
    db.write("update new_keys_round set after = x'', ended_at = ?", end);
  } else {
    db.write("update new_keys_round set after = ?, ends_at = ?", last, end);
  }
}

/** Before the next generation begins. False: there are more than `limit`. */
export function moveAll(db: Connection, generation: number, limit: number): boolean {
  if (move(db, generation, FIRST, limit) !== null) return false;
  db.exec("delete from new_keys; update new_keys_round set after = x'', ends_at = 0, ended_at = 0");
  return true;
}

/** Moves those that follow `after`; the last one, or null where there are no `limit` of them. */
function move(
  db: Connection,
  generation: number,
  after: Uint8Array,
  limit: number,
): Uint8Array | null {
  const [end] = db.lists(
    "select key from new_keys_by_key where key > ? order by key limit 1 offset ?",
    after,
    limit - 1,
  );
  const last = end === undefined ? BEYOND : bytes(end[0]);
  db.write(
    `insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
     select ?, i.key, n.body_hash, n.event_seq, n.tag
     from new_keys_by_key i cross join new_keys n on n.no = i.no
     where i.key > ? and i.key <= ? order by i.key on conflict do nothing`,
    generation,
    after,
    last,
  );
  db.write("delete from new_keys_by_key where key > ? and key <= ?", after, last);
  return end === undefined ? null : last;
}

function bytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError("expected bytes in a stored key");
  return value;
}

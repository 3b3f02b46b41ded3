import type { KeyRow } from "../hot/accept-transaction.ts";
import { generationSpan } from "../hot/key-generations.ts";
import type { Connection } from "./connection.ts";
import { addNewKey, dropNewKey, findNewKey, makeRoom, moveAll } from "./new-keys.ts";

/** The marketplace's own, and the id of an update. */
const MOST_KEYS_PER_EVENT = 2;

/** Adds what none has; answers those that were there. */
export function claimKeys(db: Connection, rows: readonly KeyRow[]): KeyRow[] {
  const generations = listGenerations(db);
  // They change a few times a day, and a list in the text is looked up twice as fast as a table.
  const find = `select body_hash, event_seq, tag from idempotency_keys
    where generation in (${generations.join(", ")}) and key = ?`;
  return rows.flatMap((row): KeyRow[] => {
    const key = Buffer.from(row.key, "hex");
    const found = findNewKey(db, key) ?? db.lists(find, key)[0];
    if (found === undefined) {
      addNewKey(db, key, row);
      return [];
    }
    const [bodyHash, eventSeq, tag] = found;
    return [
      { key: row.key, bodyHash: digits(bodyHash), eventSeq: Number(eventSeq), tag: String(tag) },
    ];
  });
}

/** Of those that this transaction claimed. */
export function dropKeys(db: Connection, keys: readonly string[]): void {
  for (const key of keys) dropNewKey(db, Buffer.from(key, "hex"));
}

/** Last in each accept: what was claimed and not dropped may be moved now. */
export function moveKeys(db: Connection, events: number): void {
  if (events > 0) makeRoom(db, listGenerations(db).at(-1) ?? 0, events * MOST_KEYS_PER_EVENT);
}

/** Begins the next generation when it is time, and deletes from one whose youngest key is too old at `now`. */
export function pruneKeys(
  db: Connection,
  now: number,
  idempotencyMs: number,
  limit: number,
): number {
  // By the clock that events are accepted by, which may be ahead of the one to prune by.
  const [newest] = db.lists(
    "select max(no) from key_generations having max(began_at) <= ?",
    db.now() - generationSpan(idempotencyMs),
  );
  if (newest !== undefined) {
    const no = Number(newest[0]);
    if (!moveAll(db, no, limit)) return limit;
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
  return deleted > 0 ? deleted : db.run("delete from key_generations where no = ?", no);
}

/** The oldest first; there is always one. */
function listGenerations(db: Connection): number[] {
  return db.lists("select no from key_generations order by no").map(([no]) => Number(no));
}

function digits(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("expected bytes in a stored key");
  return Buffer.from(bytes).toString("hex");
}

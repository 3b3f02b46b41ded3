import { setTimeout } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "../tables.ts";
import type { WriterLock } from "./writer-lock.ts";

/** An open read keeps the log from being emptied; most end soon. */
const TRIES = 10;
const WAIT_MS = 200;

/**
 * The connection overwrites freed content in pages that it writes anyway (`fast`). This also overwrites pages that
 * become free as a whole, which would keep their content until they are used again.
 */
export async function overwriting<T>(trx: Transaction<Tables>, work: () => Promise<T>): Promise<T> {
  await sql`pragma secure_delete = on`.execute(trx);
  try {
    return await work();
  } finally {
    await sql`pragma secure_delete = fast`.execute(trx);
  }
}

/** At most two rounds of them, see `new-keys.ts`: one statement takes a fraction of a second. */
export async function eraseNewKeys(db: Kysely<Tables>): Promise<void> {
  await sql`update new_keys set body_hash = x'' where body_hash <> x''
    and event_seq in (select seq from events where erased_at is not null and seq = new_keys.event_seq)`.execute(
    db,
  );
}

/** `cut`: by the writer, alone, so that no transaction is open. */
export async function emptyLog(cut: () => Promise<boolean>, writerLock: WriterLock): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const release = await writerLock.takeAlone();
    try {
      if (await cut()) return;
    } finally {
      release();
    }
    await setTimeout(WAIT_MS);
  }
}

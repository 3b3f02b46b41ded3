import { nullableText } from "../hot/rows.ts";
import { DatabaseSync } from "node:sqlite";
import {
  rotateMasterKey,
  type MasterKeyRotationDatabase,
  type MasterKeyRotationOptions,
  type MasterKeyRotationOutcome,
  ENCRYPTED_META,
  type EncryptedWebhook,
} from "../rotate-master-key.ts";
import { checkEngine } from "./engine.ts";
import { requireDatabase } from "./folder-lock.ts";
import { refuseMoved } from "./moved-mark.ts";

/**
 * Encrypts everything in the folder under the first master key, while the service runs. It uses a second connection
 * that writes small batches, leaves checkpoints to the service, and changes nothing that the service keeps in memory.
 */
export async function rotateSqliteMasterKey(
  folder: string,
  options: MasterKeyRotationOptions,
): Promise<MasterKeyRotationOutcome> {
  checkEngine();
  const path = requireDatabase(folder);
  refuseMoved(folder, null);
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    return await rotateMasterKey(open(db), options);
  } finally {
    db.close();
  }
}

function open(db: DatabaseSync): MasterKeyRotationDatabase {
  db.exec("pragma synchronous = full");
  db.exec("pragma wal_autocheckpoint = 0");
  return {
    countWebhooks: async () =>
      Number(db.prepare("select count(*) as n from webhooks").get()?.["n"]),
    instanceKeys: async () =>
      db
        .prepare("select key_ids from instances")
        .all()
        .map((row) => nullableText(row["key_ids"])),
    async batch(afterNo, limit, decide) {
      return inTransaction(db, () => {
        const rows = db
          .prepare(
            "select no, id, url, secret, next_secret from webhooks where no > ? order by no limit ?",
          )
          .all(afterNo, limit) as unknown as EncryptedWebhook[]; // The columns just named.
        const write = db.prepare(
          "update webhooks set url = ?, secret = ?, next_secret = ? where no = ?",
        );
        for (const row of rows) {
          const again = decide(row);
          if (again !== null) write.run(again.url, again.secret, again.next_secret, row.no);
        }
        return rows.map((row) => row.no);
      });
    },
    async meta(decide) {
      inTransaction(db, () => {
        const row = db.prepare("select value from meta where key = ?").get(ENCRYPTED_META);
        const again = row === undefined ? null : decide(String(row["value"]));
        if (again !== null)
          db.prepare("update meta set value = ? where key = ?").run(again, ENCRYPTED_META);
      });
    },
  };
}

function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("begin immediate");
  try {
    const result = work();
    db.exec("commit");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}

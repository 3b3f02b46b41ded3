import { createHmac, randomBytes } from "node:crypto";
import { MarkethookError } from "@markethook/protocol";
import type { Kysely } from "kysely";
import type { PreparedItem } from "../hot/accept-transaction.ts";
import type { AcceptItem } from "../port/events.ts";
import type { Encryption } from "../encryption.ts";
import type { Tables } from "../tables.ts";

const DEDUPE_SECRET = "dedupe_secret";

/**
 * The key of the hashes that stand for first downloads, encrypted in the database and made at the first start. It is
 * also the check that the master key fits: with the wrong one it does not open and we refuse to start.
 */
export async function openDedupeSecret(
  db: Kysely<Tables>,
  encryption: Encryption,
): Promise<Buffer> {
  await db
    .insertInto("meta")
    .values({
      key: DEDUPE_SECRET,
      value: encryption.encrypt(randomBytes(32).toString("base64"), DEDUPE_SECRET),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", DEDUPE_SECRET)
    .executeTakeFirst();
  if (row === undefined) throw new MarkethookError("store_unavailable");
  try {
    return Buffer.from(encryption.decrypt(row.value, DEDUPE_SECRET), "base64");
  } catch (cause) {
    // Also where the encrypted text names a key that was not given: for who starts us the key given is the wrong one.
    throw new MarkethookError("master_key_wrong", { cause });
  }
}

/** Adds to first downloads the keyed hash that is kept of them for ever. */
export function prepareItems(items: readonly AcceptItem[], dedupeSecret: Buffer): PreparedItem[] {
  return items.map((item) =>
    item.name === "product.user.firstDownload" && item.userId !== undefined
      ? {
          ...item,
          dedupeKey: firstDownloadKey(dedupeSecret, item.resourceId, item.userId),
        }
      : item,
  );
}

export function firstDownloadKey(dedupeSecret: Buffer, resourceId: string, userId: number): string {
  return createHmac("sha256", dedupeSecret).update(`${resourceId} ${userId}`).digest("base64url");
}

import { createHmac, randomBytes } from "node:crypto";
import { MarkethookError } from "@markethook/protocol";
import type { Kysely } from "kysely";
import type { PreparedItem } from "../hot/accept-transaction.ts";
import type { AcceptItem } from "../port/events.ts";
import type { Encryption } from "../encryption.ts";
import type { Tables } from "../tables.ts";
import { beginMeta, readMeta } from "./meta.ts";

const DEDUPE_SECRET = "dedupe_secret";

/**
 * The key of the hashes that represent first downloads, encrypted in the database and made at the first start. It also
 * tests the master key: with a wrong one it cannot be decrypted, and the service refuses to start.
 */
export async function openDedupeSecret(
  db: Kysely<Tables>,
  encryption: Encryption,
): Promise<Buffer> {
  const made = encryption.encrypt(randomBytes(32).toString("base64"), DEDUPE_SECRET);
  await beginMeta(db, DEDUPE_SECRET, made);
  const stored = await readMeta(db, DEDUPE_SECRET);
  if (stored === null) throw new MarkethookError("store_unavailable");
  try {
    return Buffer.from(encryption.decrypt(stored, DEDUPE_SECRET), "base64");
  } catch (cause) {
    // Also if the encrypted text names a key that was not given: for the operator, the given key is the wrong one.
    throw new MarkethookError("master_key_wrong", { cause });
  }
}

/** Adds the keyed hash, which is kept for ever, to first downloads. */
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

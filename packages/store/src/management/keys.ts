import { createHmac, randomBytes } from "node:crypto";
import { MarkethookError } from "@markethook/protocol";
import type { Kysely } from "kysely";
import type { PreparedItem } from "../hot/accept-transaction.ts";
import type { AcceptItem } from "../port/events.ts";
import type { Seal } from "../seal.ts";
import type { Tables } from "../tables.ts";

const FACTS_KEY = "facts_key";

/**
 * The key of the hashes that stand for first downloads, sealed in the database and made at the first start. It is
 * also the check that the master key fits: with the wrong one it does not open and we refuse to start.
 */
export async function openFactsKey(db: Kysely<Tables>, seal: Seal): Promise<Buffer> {
  await db
    .insertInto("meta")
    .values({ key: FACTS_KEY, value: seal.seal(randomBytes(32).toString("base64"), FACTS_KEY) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", FACTS_KEY)
    .executeTakeFirst();
  if (row === undefined) throw new MarkethookError("store_unavailable");
  try {
    return Buffer.from(seal.open(row.value, FACTS_KEY), "base64");
  } catch (cause) {
    // Also where the seal names a key that was not given: for who starts us the key given is the wrong one.
    throw new MarkethookError("master_key_wrong", { cause });
  }
}

/** Adds to first downloads the keyed hash that is kept of them for ever. */
export function prepareItems(items: readonly AcceptItem[], factsKey: Buffer): PreparedItem[] {
  return items.map((item) =>
    item.name === "product.user.firstDownload" && item.userId !== undefined
      ? {
          ...item,
          fact: firstDownloadFact(factsKey, item.resourceId, item.userId),
        }
      : item,
  );
}

export function firstDownloadFact(factsKey: Buffer, resourceId: string, userId: number): string {
  return createHmac("sha256", factsKey).update(`${resourceId} ${userId}`).digest("base64url");
}

import { expressionBuilder, type Selectable, type Transaction } from "kysely";
import type { ApiKey, ApiKeyStore, NewApiKey } from "../../port/administration.ts";
import type { Tables } from "../../tables.ts";
import type { ActingContext } from "../audit/audit-write.ts";
import { countRows } from "../count-rows.ts";
import { databaseNow, type ManagementContext } from "../context.ts";

/** The scope that is needed to make keys. */
const MAKES_KEYS = "admin";

/** Takes a transaction back. */
class NotFirst extends Error {}

export function createApiKeys(context: ActingContext): ApiKeyStore {
  const { db, transact, reader, writeAudit } = context;

  async function insert(trx: Transaction<Tables>, key: NewApiKey): Promise<ApiKey> {
    const { id, name, scopes, hash, expiresAt, addresses = [] } = key;
    const row = await trx
      .insertInto("api_keys")
      .values({
        id,
        name,
        scopes: scopes.join(" "),
        hash,
        created_at: await databaseNow(trx),
        expires_at: expiresAt,
        addresses: addresses.join(" "),
      })
      .returningAll()
      .returning(NOW)
      .executeTakeFirstOrThrow();
    const limits = addresses.length > 0 ? { addresses: [...addresses] } : {};
    const after = { name, scopes, expiresAt, ...limits };
    await writeAudit(trx, [{ action: "api_key.create", subject: { kind: "api_key", id }, after }]);
    return toApiKey(row);
  }

  return {
    create: async (key) => await transact(async (trx) => await insert(trx, key)),

    async createFirst(key) {
      try {
        await transact(async (trx) => {
          await insert(trx, key);
          // The audit log's head is locked by now, so an earlier key is committed.
          const keys = await countRows(trx, trx.selectFrom("api_keys").select("id"));
          if (keys > 1) throw new NotFirst();
        });
        return true;
      } catch (error) {
        if (error instanceof NotFirst) return false;
        throw error;
      }
    },

    async findByHash(hash) {
      const row = await reader
        .selectFrom("api_keys")
        .selectAll()
        .select(NOW)
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row === undefined ? null : toApiKey(row);
    },

    async list() {
      const all = reader.selectFrom("api_keys").selectAll().select(NOW).orderBy("created_at");
      return (await all.execute()).map(toApiKey);
    },

    async revoke(id, evenLast) {
      return await transact(async (trx) => {
        const now = await databaseNow(trx);
        if (!evenLast && (await isLastMaker(context, trx, id, now))) return "last";
        const row = await trx
          .updateTable("api_keys")
          .set({ revoked_at: now })
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .returning(["name", "scopes"])
          .executeTakeFirst();
        if (row === undefined) return "absent";
        const before = { name: row.name, scopes: row.scopes.split(" ") };
        const subject = { kind: "api_key", id } as const;
        await writeAudit(trx, [{ action: "api_key.revoke", subject, before }]);
        return "revoked";
      });
    },

    async touch(id) {
      await db
        .updateTable("api_keys")
        .set({ last_used_at: await databaseNow(reader) })
        .where("id", "=", id)
        .execute();
    },
  };
}

/**
 * Whether this key is the only one left that can make others. The rows are locked until the end, because two keys may
 * be revoked at once.
 */
async function isLastMaker(
  { dialect }: ManagementContext,
  trx: Transaction<Tables>,
  id: string,
  now: number,
): Promise<boolean> {
  const before = await listMakers(trx, now);
  if (!before.includes(id)) return false;
  await dialect.lockRows(trx, "api_keys", before);
  const makers = await listMakers(trx, now);
  return makers.includes(id) && makers.length === 1;
}

async function listMakers(trx: Transaction<Tables>, now: number): Promise<string[]> {
  const rows = await trx
    .selectFrom("api_keys")
    .select(["id", "scopes"])
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .execute();
  return rows.filter(({ scopes }) => scopes.split(" ").includes(MAKES_KEYS)).map(({ id }) => id);
}

const NOW = expressionBuilder<Tables>().fn<number>("mh_now", []).as("now");

function toApiKey(row: Selectable<Tables["api_keys"]> & { now: number }): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: words(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    hasEnded: row.revoked_at !== null || (row.expires_at ?? Infinity) <= row.now,
    lastUsedAt: row.last_used_at,
    addresses: words(row.addresses),
  };
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}

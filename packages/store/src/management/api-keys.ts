import type { Selectable } from "kysely";
import type { ApiKey, ApiKeyStore } from "../port/administration.ts";
import { type AuditActor, SYSTEM } from "../port/audit.ts";
import type { Tables } from "../tables.ts";
import { createAuditWriter } from "./audit-write.ts";
import { databaseNow, type ManagementContext } from "./context.ts";

export function createApiKeys(context: ManagementContext, actor: AuditActor = SYSTEM): ApiKeyStore {
  const { db, reader } = context;
  const writeAudit = createAuditWriter(context, actor);
  return {
    async create(key) {
      const { id, name, scopes, hash, expiresAt } = key;
      return await db.transaction().execute(async (trx) => {
        const now = await databaseNow(trx);
        const row = await trx
          .insertInto("api_keys")
          .values({
            id,
            name,
            scopes: scopes.join(" "),
            hash,
            created_at: now,
            expires_at: expiresAt,
            revoked_at: null,
            last_used_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await writeAudit(trx, [
          { ...entryOf(id, now), action: "api_key.create", after: { name, scopes, expiresAt } },
        ]);
        return toApiKey(row);
      });
    },

    async findByHash(hash) {
      const row = await reader
        .selectFrom("api_keys")
        .selectAll()
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row === undefined ? null : toApiKey(row);
    },

    async list() {
      return (await reader.selectFrom("api_keys").selectAll().orderBy("created_at").execute()).map(
        toApiKey,
      );
    },

    async revoke(id) {
      return await db.transaction().execute(async (trx) => {
        const now = await databaseNow(trx);
        const row = await trx
          .updateTable("api_keys")
          .set({ revoked_at: now })
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .returning(["name", "scopes"])
          .executeTakeFirst();
        if (row === undefined) return false;
        const before = { name: row.name, scopes: row.scopes.split(" ") };
        await writeAudit(trx, [{ ...entryOf(id, now), action: "api_key.revoke", before }]);
        return true;
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

function entryOf(id: string, at: number) {
  return { at, subject: { kind: "api_key", id }, ownerId: null, resourceId: null } as const;
}

function toApiKey(row: Selectable<Tables["api_keys"]>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(" ").filter((scope) => scope !== ""),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

import type { Selectable } from "kysely";
import type { ApiKey, ApiKeyStore } from "../port/administration.ts";
import type { Tables } from "../tables.ts";
import { databaseNow, type ManagementContext } from "./context.ts";

export function createApiKeys({ db, reader }: ManagementContext): ApiKeyStore {
  return {
    async create(key) {
      const row = await db
        .insertInto("api_keys")
        .values({
          id: key.id,
          name: key.name,
          scopes: key.scopes.join(" "),
          hash: key.hash,
          created_at: await databaseNow(reader),
          expires_at: key.expiresAt,
          revoked_at: null,
          last_used_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toApiKey(row);
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
      const row = await db
        .updateTable("api_keys")
        .set({ revoked_at: await databaseNow(reader) })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
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

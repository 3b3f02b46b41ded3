import { MarkethookError } from "@markethook/protocol";
import type { Kysely, Selectable } from "kysely";
import type { AuditAction } from "../../port/audit.ts";
import type { PortalSession, PortalSessionStore } from "../../port/portal-sessions.ts";
import type { Tables } from "../../tables.ts";
import { type ActingContext, actingContext, type NewAuditEntry } from "../audit/audit-write.ts";
import { databaseNow } from "../context.ts";
import { padded } from "../padded.ts";
import { isOwner } from "../resources/owners-times.ts";

/** Ended sessions are deleted when others are made, this many at a time, so that no call waits for it. */
const FORGOTTEN = 200;
/** Part of its lifetime that a renewal must add to be worth a write. */
const LEAST_RENEWAL = 0.1;
/** How long an ended session can still be found. */
const FORGET_AFTER_MS = 3_600_000;

export function createPortalSessions(context: ActingContext): PortalSessionStore {
  const { transact, reader, dialect, actor, writeAudit } = context;
  return {
    async create({ codeLifetimeMs, lifetimeMs, longestMs, ...input }) {
      const row = await transact(async (trx) => {
        if (input.resourceId !== null) {
          // Locked, so that a change of owner waits, and then ends this session too.
          await dialect.lockRows(trx, "resources", [input.resourceId]);
          if (!(await isOwner(trx, input.resourceId, input.ownerId)))
            throw new MarkethookError("resource_unknown");
        }
        const now = await databaseNow(trx);
        await forgetEnded(trx, now);
        const made = await trx
          .insertInto("portal_sessions")
          .values({
            id: input.id,
            owner_id: input.ownerId,
            resource_id: input.resourceId,
            return_url: input.returnUrl,
            code_hash: input.codeHash,
            code_expires_at: now + Math.min(codeLifetimeMs, lifetimeMs),
            created_at: now,
            expires_at: now + lifetimeMs,
            reveals_secrets: input.revealsSecrets ? 1 : 0,
            lifetime_ms: lifetimeMs,
            renewable_until: now + Math.max(lifetimeMs, longestMs),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const { revealsSecrets } = input;
        const after = { expiresAt: made.expires_at, ...(revealsSecrets ? {} : { revealsSecrets }) };
        await writeAudit(trx, [{ ...entryOf(made, "portal_session.create"), after }]);
        return made;
      });
      return toSession(row);
    },

    async exchange(codeHash, tokenHash) {
      const now = await databaseNow(reader);
      // Reads first: guessed codes must not take the writer lock.
      const known = await reader
        .selectFrom("portal_sessions")
        .select("id")
        .where("code_hash", "=", codeHash)
        .executeTakeFirst();
      if (known === undefined) return null;
      const row = await transact(async (trx) => {
        const opened = await trx
          .updateTable("portal_sessions")
          .set({ token_hash: tokenHash, code_hash: null, opened_at: now })
          .where("code_hash", "=", codeHash)
          .where("code_expires_at", ">", now)
          .where("revoked_at", "is", null)
          .returningAll()
          .executeTakeFirst();
        if (opened === undefined) return undefined;
        // The author of this change is the session itself.
        const { id, owner_id: name } = opened;
        const itself = { kind: "portal_session", id, name, requestId: actor.requestId } as const;
        const entry = entryOf(opened, "portal_session.open");
        await actingContext(context, itself).writeAudit(trx, [entry]);
        return opened;
      });
      return row === undefined ? null : toSession(row);
    },

    async renew(id) {
      const now = await databaseNow(reader);
      const known = await openSessions(reader, now)
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      if (known === undefined) return null;
      const { lifetime_ms: lifetime, renewable_until: last, expires_at: before } = known;
      if (lifetime === null || last === null) return toSession(known);
      const expiresAt = Math.min(now + lifetime, last);
      // Otherwise a page that asks often would write often.
      if (expiresAt < last && expiresAt - before < lifetime * LEAST_RENEWAL)
        return toSession(known);
      if (expiresAt <= before) return toSession(known);
      return await transact(async (trx) => {
        const row = await trx
          .updateTable("portal_sessions")
          .set({ expires_at: expiresAt })
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .where("expires_at", ">", now)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        const values = { before: { expiresAt: before }, after: { expiresAt } };
        await writeAudit(trx, [{ ...entryOf(row, "portal_session.renew"), ...values }]);
        return toSession(row);
      });
    },

    async findByToken(tokenHash) {
      const row = await reader
        .selectFrom("portal_sessions")
        .selectAll()
        .where("token_hash", "=", tokenHash)
        .where("revoked_at", "is", null)
        .where(({ eb, fn }) => eb("expires_at", ">", fn<number>("mh_now", [])))
        .executeTakeFirst();
      return row === undefined ? null : toSession(row);
    },

    async stillOpen(ids) {
      if (ids.length === 0) return [];
      const now = await databaseNow(reader);
      const rows = await openSessions(reader, now).select("id").where("id", "in", ids).execute();
      return rows.map((row) => row.id);
    },

    async list({ ownerId, limit }) {
      let query = openSessions(reader, await databaseNow(reader)).selectAll();
      if (ownerId !== null) query = query.where("owner_id", "=", ownerId);
      const rows = await query.orderBy("created_at", "desc").limit(limit).execute();
      return rows.map(toSession);
    },

    async revoke(id) {
      const now = await databaseNow(reader);
      return await transact(async (trx) => {
        const row = await revoke(trx, now)
          .where("id", "=", id)
          .where("expires_at", ">", now)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return false;
        await writeAudit(trx, [entryOf(row, "portal_session.revoke")]);
        return true;
      });
    },
  };
}

function entryOf(row: Selectable<Tables["portal_sessions"]>, action: AuditAction): NewAuditEntry {
  const { id, owner_id: ownerId, resource_id: resourceId } = row;
  return { action, subject: { kind: "portal_session", id }, ownerId, resourceId };
}

/** Ends the old owners' sessions that reach these resources: those bound to one of them, and those bound to none. */
export async function endSessionsOf(
  trx: Kysely<Tables>,
  resources: readonly Pick<Selectable<Tables["resources"]>, "id" | "owner_id">[],
  now: number,
): Promise<void> {
  const ids = resources.map(({ id }) => id);
  const ownerIds = [...new Set(resources.map((row) => row.owner_id))];
  await revoke(trx, now)
    .where("owner_id", "in", padded(ownerIds))
    .where(({ eb, or }) =>
      or([eb("resource_id", "is", null), eb("resource_id", "in", padded(ids))]),
    )
    .execute();
}

/** Called when the resource is deleted; the owner's other resources stay reachable. */
export async function endBoundSessions(
  trx: Kysely<Tables>,
  resourceId: string,
  now: number,
): Promise<void> {
  await revoke(trx, now).where("resource_id", "=", resourceId).execute();
}

/** Of those that the caller adds conditions for. */
function revoke(trx: Kysely<Tables>, now: number) {
  return trx
    .updateTable("portal_sessions")
    .set({ revoked_at: now, code_hash: null })
    .where("revoked_at", "is", null);
}

function openSessions(db: Kysely<Tables>, now: number) {
  return db
    .selectFrom("portal_sessions")
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now);
}

async function forgetEnded(trx: Kysely<Tables>, now: number): Promise<void> {
  await trx
    .deleteFrom("portal_sessions")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("portal_sessions")
        .select("id")
        .where("expires_at", "<", now - FORGET_AFTER_MS)
        .orderBy("expires_at")
        .limit(FORGOTTEN),
    )
    .execute();
}

function toSession(row: Selectable<Tables["portal_sessions"]>): PortalSession {
  return {
    id: row.id,
    ownerId: row.owner_id,
    resourceId: row.resource_id,
    returnUrl: row.return_url,
    createdAt: row.created_at,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
    renewableUntil: row.renewable_until,
    revokedAt: row.revoked_at,
    revealsSecrets: row.reveals_secrets === 1,
  };
}

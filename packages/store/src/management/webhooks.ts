import { allTexts, givenTexts, LIMITS, MarkethookError, standardKey } from "@markethook/protocol";
import { eventMask } from "../hot/kinds.ts";
import { deliveryNumber } from "../hot/numbers.ts";
import { type AuditAction, type AuditActor, SYSTEM } from "../port/audit.ts";
import type { Webhook, WebhookChange, WebhookInput, WebhookStore } from "../port/webhooks.ts";
import { webhookChanges, webhookEntry, webhookValues } from "./audit-values.ts";
import { createAuditWriter } from "./audit-write.ts";
import { forgetCounts } from "./attempt-counts.ts";
import { databaseNow, EVERYTHING, type ManagementContext } from "./context.ts";
import { checkExpected } from "./expected-webhook.ts";
import { padded } from "./padded.ts";
import { addressColumns, addressOf, hostOf } from "./webhook-address.ts";
import { webhookScopes } from "./webhook-scopes.ts";
import { createWebhookSecrets } from "./webhook-secrets.ts";
import {
  DROPPED,
  ownWebhook,
  selectSendable,
  selectWebhooks,
  toSendable,
  toWebhook,
  type WebhookRow,
  type WebhookUpdate,
} from "./webhook-row.ts";
import { insertNotice } from "./notices.ts";
import { beginPullByPerson, pullStep } from "./pull-forward.ts";

const PULLED_AT_ONCE = 500;
/** What a person asked for has none. */
const NO_PACE = { perSecond: PULLED_AT_ONCE, doubleEveryMs: 1000 };

export function createWebhooks(
  context: ManagementContext,
  actor: AuditActor = SYSTEM,
): WebhookStore {
  const { db, reader, encryption, webhooksChanged, deliveriesReady } = context;

  const writeAudit = createAuditWriter(context, actor);

  /** Reads, decides and writes one webhook in one transaction, then notifies the senders. */
  async function update(
    action: AuditAction,
    id: string,
    ownerId: string | null,
    decide: WebhookUpdate,
  ): Promise<Webhook> {
    const after = await db.transaction().execute(async (trx) => {
      await context.dialect.lockRows(trx, "webhooks", [id]);
      const row = await ownWebhook(trx, id, ownerId);
      const { set, notice, forgetHealth, pull } = decide(row);
      await trx
        .updateTable("webhooks")
        .set({ ...set, updated_at: row.now })
        .where("no", "=", row.no)
        .execute();
      if (forgetHealth === true)
        await trx.deleteFrom("webhook_health").where("webhook_no", "=", row.no).execute();
      if (pull === true) await beginPullByPerson(trx, row.no, row.now);
      if (notice !== undefined) {
        await insertNotice(trx, {
          ...notice,
          ownerId: row.owner_id,
          resourceId: row.resource_id,
          webhookId: row.id,
          now: row.now,
        });
      }
      const changed = await ownWebhook(trx, id, ownerId);
      await writeAudit(trx, webhookChanges(action, row, changed));
      return changed;
    });
    webhooksChanged([after.no]);
    return toWebhook(after);
  }

  async function create(
    input: WebhookInput,
    ownerId: string | null,
    copiedFrom?: string,
  ): Promise<Webhook> {
    return await db.transaction().execute(async (trx) => {
      // Locked, so that two calls that create at once see each other's webhook, and a change of owner waits.
      await context.dialect.lockRows(trx, "resources", [input.resourceId]);
      let query = trx
        .selectFrom("resources")
        .select("owner_id")
        .where("id", "=", input.resourceId)
        .where("deleted_at", "is", null);
      if (ownerId !== null) query = query.where("owner_id", "=", ownerId);
      const resource = await query.executeTakeFirst();
      if (resource === undefined) throw new MarkethookError("resource_unknown");
      const { count } = await trx
        .selectFrom("webhooks")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("resource_id", "=", input.resourceId)
        // Webhooks of an earlier owner get no events and do not count.
        .where("owner_id", "=", resource.owner_id)
        .where("deleted_at", "is", null)
        .executeTakeFirstOrThrow();
      if (Number(count) >= LIMITS.webhooksPerResource)
        throw new MarkethookError("webhook_limit_reached");
      const now = await databaseNow(trx);
      await trx
        .insertInto("webhooks")
        .values({
          id: input.id,
          resource_id: input.resourceId,
          owner_id: resource.owner_id,
          ...addressColumns(input, input.id, encryption),
          mask: eventMask(input.events),
          ...allTexts(input),
          state: "active",
          reason: null,
          secret: encryption.encrypt(input.secret, input.id),
          secret_is_text: standardKey(input.secret) === null ? 1 : 0,
          next_secret: null,
          next_secret_until: null,
          cancel_before: null,
          cancel_reason: null,
          probe_at: null,
          created_at: now,
          updated_at: now,
          deleted_at: null,
        })
        .execute();
      const row = await ownWebhook(trx, input.id, null);
      const after = {
        ...webhookValues(row),
        ...(copiedFrom === undefined ? {} : { copiedFrom }),
      };
      const action = copiedFrom === undefined ? "webhook.create" : "webhook.copy";
      await writeAudit(trx, [webhookEntry(row, action, { after })]);
      return toWebhook(row);
    });
  }

  /** The columns of the address and the chat's options that a change writes; none if it names neither. */
  function changedAddress(
    row: WebhookRow,
    { url, format = "json", shownUrl, chat }: WebhookChange,
  ) {
    if (url === undefined) {
      return chat === undefined || row.chat_options === null
        ? {}
        : { chat_options: chat, chat_fault: null };
    }
    const options = chat ?? row.chat_options ?? undefined;
    return addressColumns({ url, format, shownUrl, chat: options }, row.id, encryption, row);
  }

  return {
    ...createWebhookSecrets(context, update, actor),

    create: async (input, ownerId) => await create(input, ownerId),

    async copy(id, ownerId, to) {
      const row = await ownWebhook(reader, id, ownerId);
      const { events } = toWebhook(row);
      const input = { ...to, ...addressOf(row, encryption), events, ...allTexts(row) };
      return await create(input, row.owner_id, id);
    },

    async get(id, ownerId) {
      return toWebhook(await ownWebhook(reader, id, ownerId));
    },

    async list({ ownerId, resourceId, afterNo, limit }) {
      let query = selectWebhooks(reader).where("w.deleted_at", "is", null);
      if (ownerId !== null) query = query.where("w.owner_id", "=", ownerId);
      if (resourceId !== undefined) query = query.where("w.resource_id", "=", resourceId);
      if (afterNo !== undefined) query = query.where("w.no", "<", afterNo);
      return (await query.orderBy("w.no", "desc").limit(limit).execute()).map(toWebhook);
    },

    async listDisabled(limit) {
      const rows = await selectWebhooks(reader)
        .where("w.deleted_at", "is", null)
        .where("w.state", "=", "disabled")
        .orderBy("w.updated_at", "desc")
        .limit(limit)
        .execute();
      return rows.map(toWebhook);
    },

    async hasUrl({ ownerId, resourceId, url }) {
      let query = reader
        .selectFrom("webhooks")
        .select(["id", "url"])
        .where("resource_id", "=", resourceId)
        .where("host", "=", hostOf(url))
        .where("deleted_at", "is", null);
      if (ownerId !== null) query = query.where("owner_id", "=", ownerId);
      const rows = await query.execute();
      return rows.some((row) => encryption.decrypt(row.url, row.id) === url);
    },

    async scopes(filters, limit) {
      return await webhookScopes(reader, filters, limit);
    },

    async change(id, ownerId, change) {
      return await update("webhook.change", id, ownerId, (row) => {
        checkExpected(row, change.expected);
        const set = {
          ...changedAddress(row, change),
          ...(change.events === undefined ? {} : { mask: eventMask(change.events) }),
          ...givenTexts(change),
        };
        if (change.url === undefined || change.url === addressOf(row, encryption).url)
          return { set };
        const fromHost = new URL(row.shown_url).host;
        const detail = { fromHost, toHost: new URL(change.url).host };
        return { set, notice: { kind: "webhook_url_changed", detail } };
      });
    },

    async delete(id, ownerId) {
      const no = await db.transaction().execute(async (trx) => {
        const row = await ownWebhook(trx, id, ownerId);
        await trx
          .updateTable("webhooks")
          .set({
            deleted_at: row.now,
            updated_at: row.now,
            cancel_before: EVERYTHING,
            cancel_reason: "webhook_deleted",
            resume_after_cancel: 0,
          })
          .where("no", "=", row.no)
          .execute();
        await forgetCounts(trx, [row.no]);
        await writeAudit(trx, [
          webhookEntry(row, "webhook.delete", { before: webhookValues(row) }),
        ]);
        return row.no;
      });
      webhooksChanged([no]);
    },

    async pause(id, ownerId) {
      return await update("webhook.pause", id, ownerId, (row) => {
        if (row.state === "disabled") throw new MarkethookError("webhook_not_active");
        // A backlog that is being dropped is dropped to the end, but the webhook does not resume after that.
        const pausedAt = row.state === "paused" ? row.paused_at : row.now;
        return {
          set: { state: "paused", reason: null, resume_after_cancel: 0, paused_at: pausedAt },
        };
      });
    },

    async resume(id, ownerId, held) {
      const [number] =
        held === "send"
          ? []
          : await db
              .transaction()
              .execute(async (trx) => await context.dialect.takeInOrder(trx, [], 1));
      const webhook = await update("webhook.resume", id, ownerId, (row) => {
        if (row.reason === "owner_changed") {
          throw new MarkethookError("webhook_not_active", {
            detail: "The resource has another owner now; the webhook belongs to the old one.",
          });
        }
        // Nothing is held, and deliveries that are under way must not be dropped.
        if (row.state === "active") return { set: {} };
        const set =
          number === undefined
            ? { state: "active", cancel_before: null, cancel_reason: null, resume_after_cancel: 0 }
            : {
                // Nothing may be claimed until the held deliveries are gone.
                state: "paused",
                cancel_before: deliveryNumber(number),
                cancel_reason: DROPPED,
                resume_after_cancel: 1,
              };
        return {
          set: { ...set, reason: null, probe_at: null, paused_at: null },
          forgetHealth: true,
          pull: number === undefined,
        };
      });
      if (webhook.state === "active") {
        // The first waiting deliveries become due at once; the periodic work does the rest.
        await pullStep(context, id, PULLED_AT_ONCE, NO_PACE);
        deliveriesReady();
      }
      return webhook;
    },

    async forSending(nos) {
      if (nos.length === 0) return [];
      const rows = await selectSendable(reader).where("w.no", "in", padded(nos)).execute();
      return rows.map((row) => toSendable(row, encryption));
    },
  };
}

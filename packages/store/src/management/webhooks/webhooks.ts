import { allFields, LIMITS, MarkethookError, standardKey } from "@markethook/protocol";
import type { Transaction } from "kysely";
import type { AddressChange, Webhook, WebhookInput, WebhookStore } from "../../port/webhooks.ts";
import type { Tables } from "../../tables.ts";
import { webhookChanges, webhookEntry, webhookValues } from "../audit/audit-values.ts";
import type { ActingContext } from "../audit/audit-write.ts";
import { forgetCounts } from "./attempt-counts.ts";
import { countRows } from "../count-rows.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { checkExpected } from "./expected-webhook.ts";
import { addressColumns, addressOf, shownHost } from "./webhook-address.ts";
import { fieldColumns, fieldsOf } from "./webhook-fields.ts";
import { createWebhookReads } from "./webhook-reads.ts";
import { createWebhookSecrets } from "./webhook-secrets.ts";
import { createWebhookStates } from "./webhook-states.ts";
import {
  deletedWebhook,
  ownWebhook,
  toWebhook,
  type UpdateWebhook,
  type WebhookRow,
} from "./webhook-row.ts";
import { insertNotices } from "../notices/notices.ts";
import { beginPullByPerson } from "../early/pull-forward.ts";

export function createWebhooks(context: ActingContext): WebhookStore {
  const { transact, reader, encryption, webhooksChanged, writeAudit } = context;

  const update: UpdateWebhook = async (action, id, ownerId, decide) => {
    const after = await transact(async (trx) => {
      await context.dialect.lockRows(trx, "webhooks", [id]);
      const row = await ownWebhook(trx, id, ownerId);
      const { set, notice, forgetHealth, pull } = await decide(row, trx);
      await trx
        .updateTable("webhooks")
        .set({ ...set, updated_at: row.now })
        .where("no", "=", row.no)
        .execute();
      if (forgetHealth === true)
        await trx.deleteFrom("webhook_health").where("webhook_no", "=", row.no).execute();
      if (pull === true) await beginPullByPerson(trx, row.no, row.now);
      if (notice !== undefined) await insertNotices(trx, [{ about: row, ...notice }]);
      const changed = await ownWebhook(trx, id, ownerId);
      await writeAudit(trx, webhookChanges(action, row, changed));
      return changed;
    });
    webhooksChanged([after.no]);
    return toWebhook(after);
  };

  async function create(
    input: WebhookInput,
    ownerId: string | null,
    copiedFrom?: string,
  ): Promise<Webhook> {
    return await transact(async (trx) => {
      const row = await insertWebhook(trx, context, input, ownerId);
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
    { url, format = "json", shownUrl, chat }: AddressChange,
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
    ...createWebhookReads(context),
    ...createWebhookStates(context, update),
    ...createWebhookSecrets(context, update),

    create: async (input, ownerId) => await create(input, ownerId),

    async copy(id, ownerId, to) {
      const row = await ownWebhook(reader, id, ownerId);
      const input = { ...to, ...addressOf(row, encryption), ...fieldsOf(row) };
      return await create(input, row.owner_id, id);
    },

    async change(id, ownerId, change) {
      return await update("webhook.change", id, ownerId, (row) => {
        checkExpected(row, change.expected);
        const address = change.address?.(toWebhook(row)) ?? change;
        const set = { ...changedAddress(row, address), ...fieldColumns(change) };
        const { url } = address;
        if (url === undefined || url === encryption.tryDecrypt(row.url, row.id)) return { set };
        const detail = { fromHost: shownHost(row), toHost: new URL(url).host };
        return { set, notice: { kind: "webhook_url_changed", detail } };
      });
    },

    async delete(id, ownerId) {
      const no = await transact(async (trx) => {
        await context.dialect.lockRows(trx, "webhooks", [id]);
        const row = await ownWebhook(trx, id, ownerId);
        await trx
          .updateTable("webhooks")
          .set(deletedWebhook(row.now, "webhook_deleted"))
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
  };
}

/** @throws `resource_unknown`, `webhook_limit_reached` */
async function insertWebhook(
  trx: Transaction<Tables>,
  context: ManagementContext,
  input: WebhookInput,
  ownerId: string | null,
): Promise<WebhookRow> {
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
  const others = trx
    .selectFrom("webhooks")
    .select("no")
    .where("resource_id", "=", input.resourceId)
    // Webhooks of an earlier owner get no events and do not count.
    .where("owner_id", "=", resource.owner_id)
    .where("deleted_at", "is", null);
  if ((await countRows(trx, others)) >= LIMITS.webhooksPerResource)
    throw new MarkethookError("webhook_limit_reached");
  const now = await databaseNow(trx);
  await trx
    .insertInto("webhooks")
    .values({
      id: input.id,
      resource_id: input.resourceId,
      owner_id: resource.owner_id,
      ...addressColumns(input, input.id, context.encryption),
      ...fieldColumns(allFields(input)),
      state: "active",
      secret: context.encryption.encrypt(input.secret, input.id),
      secret_is_text: standardKey(input.secret) === null ? 1 : 0,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return await ownWebhook(trx, input.id, null);
}

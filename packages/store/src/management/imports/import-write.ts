import type { Insertable, Kysely, Selectable, Transaction, Updateable } from "kysely";
import { allFields, standardKey } from "@markethook/protocol";
import type { Encryption } from "../../encryption.ts";
import type { Tables } from "../../tables.ts";
import type { ImportPlan, PlannedWebhook } from "./import-plan.ts";
import { resourceEntry, webhookChanges } from "../audit/audit-values.ts";
import type { NewAuditEntry } from "../audit/audit-write.ts";
import type { ManagementContext } from "../context.ts";
import { putResources } from "../resources/put-resources.ts";
import { changeOwners, SOLD } from "../resources/resources.ts";
import { addressColumns, shownHost } from "../webhooks/webhook-address.ts";
import { insertNotices, type NewNotice } from "../notices/notices.ts";
import { fieldColumns } from "../webhooks/webhook-fields.ts";
import { selectWebhooks } from "../webhooks/webhook-row.ts";

interface WrittenWebhook extends PlannedWebhook {
  sold: boolean;
}

/**
 * Writes a plan, every table sorted. Returns the numbers of webhooks that senders may have cached, and the audit rows
 * about existing things.
 */
export async function writePlan(
  trx: Transaction<Tables>,
  dialect: ManagementContext["dialect"],
  plan: ImportPlan,
  encryption: Encryption,
  now: number,
): Promise<{ changed: number[]; entries: NewAuditEntry[] }> {
  const entries: NewAuditEntry[] = [];
  const resources = [...plan.changedResources.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const sold = resources.flatMap(({ row, ownerId }) =>
    row === null || row.deleted_at !== null || row.owner_id === ownerId
      ? []
      : [{ before: row, ownerId }],
  );
  const disabled = await changeOwners(trx, dialect, sold, now);
  await putResources(
    trx,
    resources,
    new Set(resources.flatMap(({ id, row }) => (row === null ? [] : [id]))),
    now,
  );
  for (const { before, ownerId } of sold) {
    const values = { before: { ownerId: before.owner_id }, after: { ownerId } };
    entries.push(resourceEntry(before, "resource.change", values));
  }
  const webhooks = [...plan.changedWebhooks.values()].map((one) =>
    Object.assign(one, { sold: plan.isSold(one) }),
  );
  const created = webhooks.filter((one) => one.row === null);
  if (created.length > 0) {
    await trx
      .insertInto("webhooks")
      .values(created.map((one) => newRow(one, encryption, now)))
      .execute();
  }
  const rewritten = webhooks.flatMap((one) =>
    one.row === null ? [] : [{ row: one.row, set: written(one, one.row.id, encryption, now) }],
  );
  await rewrite(trx, rewritten);
  const before = rewritten.map(({ row }) => row);
  entries.push(...(await recordChanges(trx, before)));
  const dedupeKeys = [...plan.newDedupeKeys].sort();
  if (dedupeKeys.length > 0) {
    await trx
      .insertInto("first_downloads")
      // It was made elsewhere: no event here made it, and no event's id has the number 0.
      .values(dedupeKeys.map((dedupe_key) => ({ dedupe_key, event_seq: 0, tag: "0000000000" })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return { changed: [...disabled, ...before.map(({ no }) => no)], entries };
}

/** Changes many webhooks in one statement. One by one took so long that, on SQLite, reports waited noticeably. */
async function rewrite(
  trx: Transaction<Tables>,
  webhooks: readonly { row: Selectable<Tables["webhooks"]>; set: ReturnType<typeof written> }[],
): Promise<void> {
  if (webhooks.length === 0) return;
  // All have the same.
  const columns = Object.keys(webhooks[0]?.set ?? {}) as (keyof ReturnType<typeof written>)[];
  await trx
    .insertInto("webhooks")
    .values(webhooks.map(({ row, set }) => Object.assign({}, row, set)))
    .onConflict((conflict) =>
      conflict
        .column("no")
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(columns.map((name) => [name, ref(`excluded.${name}`)])),
        ),
    )
    .execute();
}

function newRow(
  one: WrittenWebhook,
  encryption: Encryption,
  now: number,
): Insertable<Tables["webhooks"]> {
  const { record } = one;
  return {
    id: record.newId,
    resource_id: record.resourceId,
    owner_id: one.ownerId,
    created_at: record.createdAt ?? now,
    import_key: one.importKey,
    ...written(one, record.newId, encryption, now),
    ...(one.sold ? SOLD : {}),
  };
}

function written(
  { record, importHash, sold, row }: WrittenWebhook,
  id: string,
  encryption: Encryption,
  now: number,
) {
  const { url, format = "json", shownUrl, chat, secret, secretMade, state } = record;
  const keeps =
    row !== null && (secretMade === true || encryption.tryDecrypt(row.secret, id) === secret);
  return {
    ...addressColumns({ url, format, shownUrl, chat }, id, encryption, row),
    ...fieldColumns(allFields(record)),
    state: sold ? SOLD.state : state,
    // An equal secret keeps its encrypted text, so a changed text means a changed secret.
    secret: keeps ? row.secret : encryption.encrypt(secret, id),
    secret_is_text: keeps ? row.secret_is_text : standardKey(secret) === null ? 1 : 0,
    import_hash: importHash,
    updated_at: now,
  } satisfies Updateable<Tables["webhooks"]>;
}

/** Call after an import has changed these webhooks. Makes notices for their owners, and returns the audit rows. */
async function recordChanges(
  trx: Kysely<Tables>,
  before: readonly Selectable<Tables["webhooks"]>[],
): Promise<NewAuditEntry[]> {
  if (before.length === 0) return [];
  const rows = await selectWebhooks(trx)
    .where(
      "w.no",
      "in",
      before.map((row) => row.no),
    )
    .execute();
  const after = new Map(rows.map((row) => [row.no, row]));
  const entries: NewAuditEntry[] = [];
  const notices: NewNotice[] = [];
  for (const old of before) {
    const row = after.get(old.no);
    if (row === undefined) continue;
    entries.push(...webhookChanges("webhook.change", { ...row, ...old }, row));
    if (old.url !== row.url) {
      const detail = { fromHost: shownHost(old), toHost: shownHost(row) };
      notices.push({ about: row, kind: "webhook_url_changed", detail });
    }
    const detail = { mode: "imported" };
    if (old.secret !== row.secret)
      notices.push({ about: row, kind: "webhook_secret_changed", detail });
  }
  await insertNotices(trx, notices);
  return entries;
}

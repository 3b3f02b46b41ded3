import { createHmac } from "node:crypto";
import { allFields } from "@markethook/protocol";
import type { ImportedResource, ImportedWebhook } from "../../port/imports.ts";
import { firstDownloadKey } from "../first-download-key.ts";
import { type FieldColumns, fieldColumns } from "../webhooks/webhook-fields.ts";

/** The values of a webhook that an import writes and compares. */
export interface WebhookFingerprint extends FieldColumns {
  url: string;
  /** Null: the record has none. */
  secret: string | null;
  state: string;
  /** JSON text of a chat's options. */
  chat?: string | undefined;
}

export type ImportKeys = ReturnType<typeof createImportKeys>;

/** Keyed hashes, so that a copy of the database does not reveal the secret or user behind one. */
export function createImportKeys(dedupeSecret: Buffer) {
  const keyed = (...parts: unknown[]): string =>
    createHmac("sha256", dedupeSecret).update(JSON.stringify(parts)).digest("base64url");
  return {
    /**
     * The key by which the next import recognises a webhook. It is made from the record as the marketplace wrote it,
     * never from the current webhook. If an owner has changed the URL here since, a second webhook must not appear.
     */
    webhookKey: (record: ImportedWebhook) =>
      record.importId === undefined
        ? keyed("webhook", record.resourceId, record.url, broughtSecret(record))
        : keyed("webhook", record.resourceId, record.importId),
    webhookHash: ({ url, mask, description, secret, state, chat, ...later }: WebhookFingerprint) =>
      keyed(
        "webhook as imported",
        url,
        mask,
        description,
        secret,
        state,
        ...(chat === undefined ? [] : [chat]),
        // Hashes of webhooks without the fields that came later stay as they were.
        ...Object.entries(later).filter(([, value]) => Boolean(value)),
      ),
    resourceHash: ({ id, ownerId, title, subtitle, fileVersion }: ImportedResource) =>
      keyed("resource as imported", id, ownerId, title, subtitle, fileVersion ?? null),
    firstDownload: (resourceId: string, userId: number) =>
      firstDownloadKey(dedupeSecret, resourceId, userId),
  };
}

export function fingerprintOf(record: ImportedWebhook): WebhookFingerprint {
  const { url, state, chat } = record;
  const secret = broughtSecret(record);
  return { url, ...fieldColumns(allFields(record)), secret, state, chat };
}

function broughtSecret({ secret, secretMade }: ImportedWebhook): string | null {
  return secretMade === true ? null : secret;
}

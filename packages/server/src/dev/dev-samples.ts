import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashToken, makeApiKey } from "@markethook/api";
import { makeRandomId, makeSecret, MarkethookError, WEBHOOK_ID_PREFIX } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import { inspectDatabase, placeOf } from "../database.ts";
import { createFileOnce } from "../keys/master-key.ts";
import type { Config } from "../settings/config-schema.ts";

export interface SampleResource {
  id: string;
  title: string;
  subtitle: string;
  ownerId: string;
}

const DESCRIPTION = "Sample receiver";

/**
 * Returns the key from the setting, or else one that is made at the first start. The first of all is kept in a file,
 * because the database has only its hash.
 */
export function developmentKey({ apiKey, dataDir }: Config): string {
  const file = keyFile(dataDir);
  createFileOnce(file, () => `${apiKey ?? makeApiKey(randomBytes)}\n`);
  return apiKey ?? readKey(file);
}

function keyFile(dataDir: string): string {
  return join(dataDir, "dev-api-key");
}

function readKey(file: string): string {
  return readFileSync(file, "utf8").trim();
}

/**
 * Refuses a database that another mode began, before anything is written into it or next to it. One of development mode
 * has no key yet, or its first one is in the file. A later key in the file proves nothing: an earlier build did not refuse,
 * and added one.
 */
export async function refuseOtherDatabase(config: Config): Promise<void> {
  const found = await inspectDatabase(config);
  // Where parts of the schema are missing, the keys were not read.
  if (found === null || (found.firstKeyHash === null && found.missing.length === 0)) return;
  const file = keyFile(config.dataDir);
  if (existsSync(file) && hashToken(readKey(file)) === found.firstKeyHash) return;
  throw new MarkethookError("config_invalid", {
    detail: `${placeOf(config)} was not made by development mode, which would add samples to it. Set MARKETHOOK_DATA_DIR to an empty folder, without MARKETHOOK_DATABASE_URL, or run \`markethook serve\`.`,
  });
}

/** Secrets of the sample webhook: the current one, and the new one during a rotation. */
export async function sampleSecrets(store: Store, resource: SampleResource): Promise<string[]> {
  const webhook = await findSampleWebhook(store, resource);
  if (webhook === undefined) return [];
  const { current, next } = await store.webhooks.revealSecrets(webhook.id, null);
  return next === null ? [current] : [current, next];
}

/**
 * Makes missing samples. Existing ones stay as the user left them; only the receiver's address follows its port.
 * Returns the webhook's id.
 */
export async function ensureSampleWebhook(
  store: Store,
  resource: SampleResource,
  url: string,
): Promise<string> {
  const { id, title, subtitle, ownerId } = resource;
  if ((await store.resources.find(id)) === null) {
    await store.resources.put([{ id, title, subtitle, ownerId }]);
  }
  const known = await findSampleWebhook(store, resource);
  if (known !== undefined) {
    if (known.url !== url) await store.webhooks.change(known.id, null, { url });
    return known.id;
  }
  const webhook = await store.webhooks.create(
    {
      id: makeRandomId(WEBHOOK_ID_PREFIX, randomBytes),
      resourceId: id,
      url,
      format: "json",
      events: null,
      description: DESCRIPTION,
      includeDetails: true,
      secret: makeSecret(randomBytes),
    },
    null,
  );
  return webhook.id;
}

async function findSampleWebhook(store: Store, { id, ownerId }: SampleResource) {
  const webhooks = await store.webhooks.list({ ownerId, resourceId: id, limit: 100 });
  return webhooks.find(({ description }) => description === DESCRIPTION);
}

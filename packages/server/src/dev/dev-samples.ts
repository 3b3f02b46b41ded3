import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashToken, makeApiKey } from "@markethook/api";
import { makeRandomId, makeSecret, MarkethookError, WEBHOOK_ID_PREFIX } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import { openStore, placeOf } from "../database.ts";
import { createFileOnce, readMasterKeys } from "../keys/master-key.ts";
import type { Config } from "../settings/config-schema.ts";

export interface SampleResource {
  id: string;
  title: string;
  subtitle: string;
  ownerId: string;
}

const DESCRIPTION = "Sample receiver";

/** The key is kept in a file, because the database has only its hash. */
export function rememberKey(dataDir: string): string {
  const file = keyFile(dataDir);
  createFileOnce(file, () => `${makeApiKey(randomBytes)}\n`);
  return readFileSync(file, "utf8").trim();
}

function keyFile(dataDir: string): string {
  return join(dataDir, "dev-api-key");
}

/**
 * Refuses a database that another mode began, before anything is written next to it. One of development mode is new,
 * knows the remembered key, or, where the key was given by a setting, has the sample resource.
 */
export async function refuseOtherDatabase(config: Config, resource: SampleResource): Promise<void> {
  const masterKeys = readMasterKeys(config);
  const store = await openStore(config, "http://localhost", masterKeys.keys).catch(
    (error: unknown) => {
      throw masterKeys.refused(error);
    },
  );
  try {
    masterKeys.confirm();
    const { apiKeys, resources } = store;
    if ((await apiKeys.list()).length === 0) return;
    if (existsSync(keyFile(config.dataDir))) {
      const hash = hashToken(rememberKey(config.dataDir));
      if ((await apiKeys.findByHash(hash)) !== null) return;
    }
    if ((await resources.find(resource.id)) !== null) return;
  } finally {
    await store.close();
  }
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

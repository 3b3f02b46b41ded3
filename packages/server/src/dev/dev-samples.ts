import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeApiKey } from "@markethook/api";
import { makeRandomId, makeSecret, WEBHOOK_ID_PREFIX } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import { createFileOnce } from "../keys/master-key.ts";

export interface SampleResource {
  id: string;
  title: string;
  subtitle: string;
  ownerId: string;
}

const DESCRIPTION = "Sample receiver";

/** The key is kept in a file, because the database has only its hash. */
export function rememberKey(dataDir: string): string {
  const file = join(dataDir, "dev-api-key");
  createFileOnce(file, () => `${makeApiKey(randomBytes)}\n`);
  return readFileSync(file, "utf8").trim();
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

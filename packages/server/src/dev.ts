import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeApiKey } from "@markethook/api";
import { makeRandomId, makeSecret, WEBHOOK_ID_PREFIX } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import { readConfig } from "./config.ts";
import { createLogging } from "./logger.ts";
import { stopOnSignals } from "./run.ts";
import { startSampleReceiver } from "./sample-receiver.ts";
import { type Service, startService } from "./service.ts";

const SAMPLE = {
  id: "sample-plugin",
  title: "Sample Plugin",
  subtitle: "Thing to try Markethook with",
  ownerId: "sample-owner",
};
const LOOPBACK = "127.0.0.0/8,::1/128";

/** Development mode: the service with a sample resource, a sample receiver and its webhook, and one line to try. */
export async function startDevelopment(
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const draft = readConfig({
    MARKETHOOK_ALLOW_TARGETS: LOOPBACK,
    MARKETHOOK_LOG_LEVEL: "warn",
    ...env,
  });
  const baseUrl = draft.baseUrl ?? `http://${draft.host}:${draft.port}`;
  const logging = createLogging(draft.logLevel);
  const print = (line: string): void => console.log(line);
  // The key must outlive the store: it is in the database as a hash only.
  const remembered = (): string => rememberKey(draft.dataDir);
  const service = await startService(
    draft,
    baseUrl,
    logging,
    draft.apiKey === null ? remembered : undefined,
  );
  const receiver = await startSampleReceiver({
    port: draft.samplePort,
    serviceName: draft.serviceName,
    print,
    secrets: async () => {
      const webhook = await sampleWebhook(service.store);
      if (webhook === undefined) return [];
      const { current, next } = await service.store.webhooks.revealSecrets(webhook.id, null);
      return next === null ? [current] : [current, next];
    },
  });
  const webhookId = await ensureSample(service.store, receiver.url);
  stopOnSignals(async () => {
    const outcome = await service.stop();
    await receiver.close();
    return outcome;
  }, logging);
  for (const line of welcome(service, receiver.url, webhookId, draft.apiKey ?? remembered()))
    print(line);
}

function rememberKey(dataDir: string): string {
  const file = join(dataDir, "dev-api-key");
  if (!existsSync(file)) writeFileSync(file, `${makeApiKey(randomBytes)}\n`, { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

async function sampleWebhook(store: Store) {
  const webhooks = await store.webhooks.list({
    ownerId: SAMPLE.ownerId,
    resourceId: SAMPLE.id,
    limit: 100,
  });
  return webhooks.find((webhook) => webhook.description === "Sample receiver");
}

/** What is there stays as the user left it; only the receiver's address follows its port. */
async function ensureSample(store: Store, url: string): Promise<string> {
  if ((await store.resources.find(SAMPLE.id)) === null) await store.resources.put([SAMPLE]);
  const known = await sampleWebhook(store);
  if (known !== undefined) {
    if (known.url !== url) await store.webhooks.change(known.id, null, { url });
    return known.id;
  }
  const webhook = await store.webhooks.create(
    {
      id: makeRandomId(WEBHOOK_ID_PREFIX, randomBytes),
      resourceId: SAMPLE.id,
      url,
      format: "json",
      events: null,
      description: "Sample receiver",
      secret: makeSecret(randomBytes),
    },
    null,
  );
  return webhook.id;
}

function welcome(service: Service, receiverUrl: string, webhookId: string, key: string): string[] {
  const { address } = service;
  return [
    "",
    "Markethook, development mode (receivers on loopback are allowed; do not use it in production)",
    "",
    `  API         ${address}/v1      reference ${address}/docs`,
    `  health      ${address}/healthz  ${address}/readyz  ${address}/metrics`,
    `  resource    ${SAMPLE.id}, owned by ${SAMPLE.ownerId}`,
    `  receiver    ${receiverUrl}  (webhook ${webhookId})`,
    `  API key     ${key}`,
    "",
    "Report a purchase, and see it arrive, signed, at the sample receiver:",
    "",
    `  curl -s ${address}/v1/resources/${SAMPLE.id}/events -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"event":"product.user.purchase","user":{"id":42}}'`,
    "",
    "Stop with Ctrl-C; data stay in the data folder.",
    "",
  ];
}

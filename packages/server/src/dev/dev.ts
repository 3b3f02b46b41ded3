import { randomBytes } from "node:crypto";
import { type Marketplace, SAMPLE_RESOURCE, startMarketplace } from "@markethook/marketplace";
import { lockFolder, makeDataFolder } from "@markethook/store";
import { readConfig } from "../settings/config.ts";
import type { Config } from "../settings/config-schema.ts";
import {
  developmentKey,
  ensureSampleWebhook,
  refuseOtherDatabase,
  sampleSecrets,
} from "./dev-samples.ts";
import { createLogging } from "../log/logger.ts";
import { listenError } from "../process/listen-error.ts";
import { stopOnSignals } from "../process/stop-on-signals.ts";
import { startSampleReceiver } from "./sample-receiver.ts";
import { startService } from "../service.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = "127.0.0.0/8,::1/128";
/** Time between the sample marketplace's tries to report. */
const RETRY_MS = 2000;

/** Development mode: the service, a sample marketplace that reports to it, and a sample receiver that prints. */
export async function startDevelopment(env: Environment): Promise<void> {
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const given = readConfig(env);
    await refuseOtherDatabase(given);
    makeDataFolder(given.dataDir);
    // Before it listens: another one in this folder has the ports too, and other ports would not help.
    if (given.databaseUrl === null) lockFolder(given.dataDir)();
    // It listens before the service, which needs its address for links in payloads and to let it embed pages.
    const marketplace = await startSampleMarketplace(given);
    closers.push(() => marketplace.close());
    const config = configWith(env, marketplace.url);
    const logging = createLogging(config.logLevel);
    const apiKey = (): string => developmentKey(config);
    const service = await startService(
      config,
      config.baseUrl ?? marketplace.url,
      logging,
      apiKey,
      true,
    );
    let released = 0;
    // After the marketplace, whose reports it would otherwise wait for, and before the receiver, which answers to the
    // end.
    closers.unshift(async () => ({ released } = await service.stop()));
    const { store, address } = service;
    const receiver = await startSampleReceiver({
      port: config.samplePort,
      serviceName: config.serviceName,
      print: (line) => console.log(line),
      secrets: () => sampleSecrets(store, SAMPLE_RESOURCE),
    });
    closers.unshift(() => receiver.close());
    const webhookId = await ensureSampleWebhook(store, SAMPLE_RESOURCE, receiver.url);
    marketplace.connect(
      { baseUrl: address, apiKey: apiKey() },
      { embed: config.embedOrigins.includes(marketplace.url) },
    );
    const stop = async (): Promise<{ released: number }> => {
      await closeAll();
      return { released };
    };
    stopOnSignals(stop, logging, config);
    const welcome = welcomeLines({
      address,
      marketplaceUrl: marketplace.url,
      receiverUrl: receiver.url,
      resource: SAMPLE_RESOURCE,
      webhookId,
      apiKey: apiKey(),
    });
    for (const line of welcome) console.log(line);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function startSampleMarketplace(config: Config): Promise<Marketplace> {
  const { host, sampleMarketplacePort: port, dataDir } = config;
  try {
    return await startMarketplace({
      host,
      port,
      folder: dataDir,
      retryMs: RETRY_MS,
      now: () => Math.floor(Date.now() / 1000),
      newId: () => randomBytes(8).toString("hex"),
    });
  } catch (cause) {
    throw listenError(cause, { host, port }, "MARKETHOOK_SAMPLE_MARKETPLACE_PORT");
  }
}

/** Returns the settings, with the defaults of development mode where nothing else was set. */
function configWith(env: Environment, marketplaceUrl: string): Config {
  // The same machine has two names, and a browser counts them as two sites.
  const byName = new URL(marketplaceUrl);
  byName.hostname = "localhost";
  return readConfig({
    MARKETHOOK_ALLOW_TARGETS: LOOPBACK,
    MARKETHOOK_LOG_LEVEL: "warn",
    MARKETHOOK_BASE_URL: marketplaceUrl,
    MARKETHOOK_PORTAL_ENTRY_URL: `${marketplaceUrl}/webhooks`,
    MARKETHOOK_EMBED_ORIGINS: `${marketplaceUrl},${byName.origin}`,
    ...env,
  });
}

interface Welcome {
  /** Of the service. */
  address: string;
  marketplaceUrl: string;
  receiverUrl: string;
  resource: { id: string; ownerId: string };
  webhookId: string;
  apiKey: string;
}

/** The lines that development mode prints when everything listens. */
function welcomeLines(of: Welcome): string[] {
  const { address, marketplaceUrl, receiverUrl, resource, webhookId, apiKey } = of;
  return [
    "",
    "Markethook, development mode (receivers on loopback are allowed; do not use it in production)",
    "",
    `  Open        ${marketplaceUrl}/resource/${resource.id}`,
    "              and press Webhooks, choose the webhook, and press Ping: it arrives, signed, at the sample receiver.",
    "              Or be a buyer and press Buy, then Download; or, as the owner, post an update.",
    "",
    `  API         ${address}/v1      reference ${address}/docs`,
    `  operator    ${address}/operator/`,
    `  health      ${address}/healthz  ${address}/readyz  ${address}/metrics`,
    `  resource    ${resource.id}, owned by ${resource.ownerId}`,
    `  receiver    ${receiverUrl}  (webhook ${webhookId})`,
    `  API key     ${apiKey}`,
    "",
    "Without a browser, report a purchase and see it arrive:",
    "",
    `  curl -s ${address}/v1/resources/${resource.id}/events -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '{"event":"product.user.purchase","user":{"id":42}}'`,
    "",
    "Stop with Ctrl-C; data stay in the data folder.",
    "",
  ];
}

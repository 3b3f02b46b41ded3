import { DEFAULT_SERVICE_NAME } from "@markethook/protocol";
import {
  DEFAULT_BLOCKED_PORTS,
  DEFAULT_SCHEDULE,
  parseAllowList,
  parseSchedule,
} from "@markethook/dispatcher";
import {
  apiKey,
  duration,
  flag,
  masterKeys,
  oneOf,
  origin,
  origins,
  ports,
  postedTo,
  serviceName,
  signingSecret,
  text,
  trustProxy,
  url,
  whole,
} from "./setting-readers.ts";

/** One setting: how its text is read, its default, and the sentence that documents it. */
export interface Setting<T, Fallback extends string | null = string | null> {
  name: string;
  /** As one would write it; null: there is none. */
  fallback: Fallback;
  /** What kind of value, in a word or two. */
  kind: string;
  sentence: string;
  secret?: true;
  /** Throws a RangeError with a sentence. */
  read(text: string): T;
}

function setting<T, Fallback extends string | null>(
  name: string,
  fallback: Fallback,
  kind: string,
  sentence: string,
  read: (text: string) => T,
): Setting<T, Fallback> {
  return { name: `MARKETHOOK_${name}`, fallback, kind, sentence, read };
}

function secret<T, Fallback extends string | null>(of: Setting<T, Fallback>): Setting<T, Fallback> {
  return { ...of, secret: true };
}

/** Every setting there is. `docs/configuration.md` is generated from this table, and parsing runs over it. */
export const SETTINGS = {
  host: setting("HOST", "127.0.0.1", "address", "Address to listen on.", text),
  port: setting("PORT", "8080", "port", "Port to listen on; 0 takes a free one.", whole(0, 65_535)),
  dataDir: setting(
    "DATA_DIR",
    "./data",
    "folder",
    "Holds the SQLite database and the key file. One process per folder.",
    text,
  ),
  databaseUrl: secret(
    setting(
      "DATABASE_URL",
      null,
      "URL",
      "`postgres://…` to use PostgreSQL; unset: SQLite in the data folder.",
      url(["postgres:", "postgresql:"]),
    ),
  ),
  databaseDirectUrl: secret(
    setting(
      "DATABASE_DIRECT_URL",
      null,
      "URL",
      "Past pgbouncer, for heartbeats and notifications; unset: as DATABASE_URL.",
      url(["postgres:", "postgresql:"]),
    ),
  ),
  serviceName: setting(
    "SERVICE_NAME",
    DEFAULT_SERVICE_NAME,
    "word",
    "The marketplace's name in `X-{name}-Signature` and the other headers.",
    serviceName,
  ),
  baseUrl: setting(
    "BASE_URL",
    null,
    "URL",
    "Of the marketplace's resource pages: `{base}/resource/{id}`. `serve` needs it.",
    url(["http:", "https:"]),
  ),
  publicUrl: setting(
    "PUBLIC_URL",
    null,
    "URL",
    "Under which this service is reached from outside, path prefix included.",
    url(["http:", "https:"]),
  ),
  embedOrigins: setting(
    "EMBED_ORIGINS",
    "",
    "origins",
    "Whose pages may show the owners' webhooks page in a frame, as `https://market.example`, with commas; none if empty.",
    origins,
  ),
  trustProxy: setting(
    "TRUST_PROXY",
    "false",
    "addresses",
    "Addresses or CIDRs of proxies whose X-Forwarded headers are believed; `false`: none.",
    trustProxy,
  ),
  apiKey: secret(
    setting(
      "API_KEY",
      null,
      "key",
      "A first API key with all scopes. Unset: one is made at the first start and printed once.",
      apiKey,
    ),
  ),
  masterKey: secret(
    setting(
      "MASTER_KEY",
      null,
      "keys",
      "Base64 of 32 bytes that seal secrets in the database; several with commas, the first one seals.",
      masterKeys,
    ),
  ),
  masterKeyFile: setting(
    "MASTER_KEY_FILE",
    null,
    "file",
    "Holds the master keys, a line each. Unset, and no MASTER_KEY: `master.key` in the data folder, made at the first start.",
    text,
  ),
  allowTargets: setting(
    "ALLOW_TARGETS",
    "",
    "CIDRs",
    "Addresses that receivers may have although not public: CIDR or CIDR:port, with commas.",
    parseAllowList,
  ),
  discordOrigin: setting(
    "DISCORD_ORIGIN",
    null,
    "origin",
    "Where Discord's API is reached instead of `https://discord.com`: for tests, and for a proxy in front of Discord.",
    origin,
  ),
  blockPorts: setting(
    "BLOCK_PORTS",
    [...DEFAULT_BLOCKED_PORTS].sort((a, b) => a - b).join(","),
    "ports",
    "Ports that receivers may not have.",
    ports,
  ),
  hold: setting(
    "HOLD",
    "false",
    "true or false",
    "`true`: accept and show everything, and send nothing except to ALLOW_TARGETS; for a staging copy of real data.",
    flag,
  ),
  noticesUrl: setting(
    "NOTICES_URL",
    null,
    "URL",
    "Where notices are posted to, signed and in order; any address, the guard's rules are for owners' URLs.",
    postedTo,
  ),
  noticesSecret: secret(
    setting(
      "NOTICES_SECRET",
      null,
      "secret",
      "Signs what goes to NOTICES_URL: base64 of 24 bytes or more.",
      signingSecret,
    ),
  ),
  expectStandbys: setting(
    "EXPECT_STANDBYS",
    "0",
    "number",
    "Synchronous standbys that PostgreSQL should have; `markethook doctor` says when there are fewer.",
    whole(0, 100),
  ),
  retrySchedule: setting(
    "RETRY_SCHEDULE",
    DEFAULT_SCHEDULE,
    "durations",
    "Waits between the attempts of a delivery, each ± 20 %.",
    parseSchedule,
  ),
  attemptTimeout: setting(
    "ATTEMPT_TIMEOUT",
    "15s",
    "duration",
    "From dialling a receiver to the last byte of its answer.",
    duration(100),
  ),
  retention: setting(
    "RETENTION",
    "30d",
    "duration",
    "How long ended deliveries are kept. What has not ended is never pruned.",
    duration(60_000),
  ),
  idempotencyRetention: setting(
    "IDEMPOTENCY_RETENTION",
    "72h",
    "duration",
    "How long idempotency keys are kept.",
    duration(60_000),
  ),
  lease: setting(
    "LEASE",
    "8s",
    "duration",
    "An instance that misses its heartbeats for this long is dead; others take over.",
    duration(400),
  ),
  concurrency: setting(
    "CONCURRENCY",
    "512",
    "number",
    "Open requests to receivers in all.",
    whole(1, 1000),
  ),
  webhookConcurrency: setting(
    "WEBHOOK_CONCURRENCY",
    "10",
    "number",
    "Open requests per webhook.",
    whole(1, 1000),
  ),
  hostConcurrency: setting(
    "HOST_CONCURRENCY",
    "64",
    "number",
    "Open requests per receiver host name and port.",
    whole(1, 1000),
  ),
  addressConcurrency: setting(
    "ADDRESS_CONCURRENCY",
    "128",
    "number",
    "Open requests per receiver address.",
    whole(1, 1000),
  ),
  queueSize: setting(
    "QUEUE_SIZE",
    "64",
    "MiB",
    "Memory for deliveries that wait for their turn.",
    whole(2, 4096),
  ),
  intakeSize: setting(
    "INTAKE_SIZE",
    "32",
    "MiB",
    "Memory for reported events that wait for their commit; above it the API answers 503.",
    whole(1, 4096),
  ),
  disableAfter: setting(
    "DISABLE_AFTER",
    "5d",
    "duration",
    "A webhook is disabled after this long without a success (and ten failures of two events).",
    duration(1000),
  ),
  probeEvery: setting(
    "PROBE_EVERY",
    "1h",
    "duration",
    "How often a webhook that was disabled for failing is tried with its oldest held delivery.",
    duration(100),
  ),
  samplePort: setting(
    "SAMPLE_PORT",
    "8081",
    "port",
    "Of the sample receiver, in development mode only; 0 takes a free one.",
    whole(0, 65_535),
  ),
  sampleMarketplacePort: setting(
    "SAMPLE_MARKETPLACE_PORT",
    "8082",
    "port",
    "Of the sample marketplace, in development mode only; 0 takes a free one.",
    whole(0, 65_535),
  ),
  logLevel: setting(
    "LOG_LEVEL",
    "info",
    "word",
    "trace, debug, info, warn, error or silent. At debug every attempt is logged, at info the failed ones.",
    oneOf(["trace", "debug", "info", "warn", "error", "silent"]),
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S> =
  S extends Setting<infer T, infer Fallback> ? (Fallback extends null ? T | null : T) : never;

/** Settings without a default may be absent. */
export type Config = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

import { chatFormats } from "@markethook/chat";
import { DEFAULT_SERVICE_NAME } from "@markethook/protocol";
import {
  DEFAULT_BLOCKED_PORTS,
  DEFAULT_SCHEDULE,
  parseAllowList,
  parseSchedule,
} from "@markethook/dispatcher";
import { CLIENT_SETTINGS } from "./client-settings.ts";
import { CONNECTION_SETTINGS } from "./connection-settings.ts";
import { kind, secret, type Setting, setting } from "./setting.ts";
import {
  apiKey,
  chatOrigins,
  contact,
  duration,
  egressProxy,
  entryUrl,
  flag,
  listenHost,
  LONGEST_TIMER,
  masterKeys,
  oneOf,
  origins,
  ownUrl,
  ports,
  postedTo,
  postgresUrl,
  serviceName,
  signingSecret,
  text,
  trustProxy,
  whole,
} from "./setting-readers.ts";

const CHAT_NAMES = chatFormats.map(({ name }) => `\`${name}\``).join(", ");

/** Every setting there is. `docs/reference/configuration.md` is generated from this table, and parsing runs over it. */
export const SETTINGS = {
  host: setting("HOST", "127.0.0.1", "Address to listen on.", kind("address", listenHost)),
  port: setting("PORT", "8080", "Port to listen on; 0 takes a free one.", whole(0, 65_535, "port")),
  dataDir: setting(
    "DATA_DIR",
    "./data",
    "Holds the SQLite database and the key file. One process per folder.",
    kind("folder", text),
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    null,
    "`postgres://…` to use PostgreSQL; unset: SQLite in the data folder. Several servers of one cluster: [failover](../how-to/fail-over-postgresql.md).",
    secret(kind("URL", postgresUrl)),
  ),
  databaseDirectUrl: setting(
    "DATABASE_DIRECT_URL",
    null,
    "Past pgbouncer, for heartbeats and notifications; unset: as DATABASE_URL, which must be set with it.",
    secret(kind("URL", postgresUrl)),
  ),
  serviceName: setting(
    "SERVICE_NAME",
    DEFAULT_SERVICE_NAME,
    "The marketplace's name in `X-{name}-Signature` and the other headers.",
    kind("word", serviceName),
  ),
  baseUrl: setting(
    "BASE_URL",
    null,
    "Of the marketplace's resource pages: `{base}/resource/{id}`; host, port and path only. `serve` needs it.",
    kind("URL", ownUrl),
  ),
  publicUrl: setting(
    "PUBLIC_URL",
    null,
    "Under which this service is reached from outside: host, port and path prefix.",
    kind("URL", ownUrl),
  ),
  securityContact: setting(
    "SECURITY_CONTACT",
    null,
    "`mailto:` or `https:`: whom to tell of a hole in this service; served as `/.well-known/security.txt`.",
    kind("URI", contact),
  ),
  embedOrigins: setting(
    "EMBED_ORIGINS",
    "",
    "Whose pages may show the owners' webhooks page in a frame, as `https://market.example`, with commas; none if empty.",
    kind("origins", origins),
  ),
  portalEntryUrl: setting(
    "PORTAL_ENTRY_URL",
    null,
    "The marketplace's page that sends its logged-in owner to a new portal session. Owners' pages without one lead there, with `path` for the way back.",
    kind("URL", entryUrl),
  ),
  trustProxy: setting(
    "TRUST_PROXY",
    "false",
    "Addresses or CIDRs of proxies whose X-Forwarded headers are believed; `false`: none.",
    kind("addresses", trustProxy),
  ),
  apiKey: setting(
    "API_KEY",
    null,
    "A first API key with all scopes. Unset: one is made at the first start and printed once.",
    secret(kind("key", apiKey)),
  ),
  masterKey: setting(
    "MASTER_KEY",
    null,
    "Base64 of 32 bytes that encrypt secrets in the database; several with commas, the first one encrypts.",
    secret(kind("keys", masterKeys)),
  ),
  masterKeyFile: setting(
    "MASTER_KEY_FILE",
    null,
    "Holds the master keys, a line each. Unset, and no MASTER_KEY: `master.key` in the data folder, made at the first start.",
    kind("file", text),
  ),
  allowTargets: setting(
    "ALLOW_TARGETS",
    "",
    "Addresses that receivers may have although not public: CIDR or CIDR:port, with commas.",
    kind("CIDRs", parseAllowList),
  ),
  chatOrigins: setting(
    "CHAT_ORIGINS",
    "",
    `Where APIs of chat platforms are reached instead of their own origins, for tests and for a proxy in front of them: with commas, each with its name (${CHAT_NAMES}).`,
    kind("name=origin", chatOrigins),
  ),
  egressProxy: setting(
    "EGRESS_PROXY",
    null,
    "`http://name:password@host:port` of an HTTP proxy that is the only way to receivers; unset: they are connected to directly.",
    secret(kind("URL", egressProxy)),
  ),
  blockPorts: setting(
    "BLOCK_PORTS",
    [...DEFAULT_BLOCKED_PORTS].sort((a, b) => a - b).join(","),
    "Ports that receivers may not have.",
    kind("ports", ports),
  ),
  dryRun: setting(
    "DRY_RUN",
    "false",
    "`true`: accept and show everything, and send nothing except to ALLOW_TARGETS; for a staging copy of real data.",
    kind("true or false", flag),
  ),
  noticesUrl: setting(
    "NOTICES_URL",
    null,
    "Where notices are posted to, signed and in order; may have a query. Any address, the guard's rules are for owners' URLs.",
    kind("URL", postedTo),
  ),
  noticesSecret: setting(
    "NOTICES_SECRET",
    null,
    "Signs what goes to NOTICES_URL: base64 of 24 bytes or more. Both are set, or neither.",
    secret(kind("secret", signingSecret)),
  ),
  expectStandbys: setting(
    "EXPECT_STANDBYS",
    "0",
    "Synchronous standbys that PostgreSQL should have; `markethook doctor` says when there are fewer.",
    whole(0, 100),
  ),
  retrySchedule: setting(
    "RETRY_SCHEDULE",
    DEFAULT_SCHEDULE,
    "Waits between the attempts of a delivery, each ± 20 %.",
    kind("durations", parseSchedule),
  ),
  attemptTimeout: setting(
    "ATTEMPT_TIMEOUT",
    "15s",
    "From dialling a receiver to the last byte of its answer.",
    duration("100ms", LONGEST_TIMER),
  ),
  retention: setting(
    "RETENTION",
    "30d",
    "How long ended deliveries are kept. What has not ended is never pruned. Notices are kept as long, and at least 30 days.",
    duration("1m"),
  ),
  idempotencyRetention: setting(
    "IDEMPOTENCY_RETENTION",
    "72h",
    "How long idempotency keys are kept.",
    duration("1m"),
  ),
  lease: setting(
    "LEASE",
    "8s",
    "An instance that misses its heartbeats for this long is dead; others take over.",
    duration("400ms", LONGEST_TIMER),
  ),
  concurrency: setting("CONCURRENCY", "512", "Open requests to receivers in all.", whole(1, 1000)),
  webhookConcurrency: setting(
    "WEBHOOK_CONCURRENCY",
    "10",
    "Open requests per webhook.",
    whole(1, 1000),
  ),
  hostConcurrency: setting(
    "HOST_CONCURRENCY",
    "64",
    "Open requests per receiver host name and port.",
    whole(1, 1000),
  ),
  addressConcurrency: setting(
    "ADDRESS_CONCURRENCY",
    "128",
    "Open requests per receiver address.",
    whole(1, 1000),
  ),
  ...CONNECTION_SETTINGS,
  queueSize: setting(
    "QUEUE_SIZE",
    "64",
    "Memory for deliveries that wait for their turn.",
    whole(2, 4096, "MiB"),
  ),
  intakeSize: setting(
    "INTAKE_SIZE",
    "32",
    "Memory for reported events that wait for their commit; above it the API answers 503.",
    whole(1, 4096, "MiB"),
  ),
  disableAfter: setting(
    "DISABLE_AFTER",
    "5d",
    "A webhook is disabled after this long without a success (and ten failures of two events).",
    duration("1s"),
  ),
  probeEvery: setting(
    "PROBE_EVERY",
    "1h",
    "How often a webhook that was disabled for failing is tried with its oldest held delivery.",
    duration("100ms"),
  ),
  ...CLIENT_SETTINGS,
  ownerPings: setting(
    "OWNER_PINGS",
    "10",
    "Pings and samples of one owner within a minute; 0: no limit. Counted per instance, as the next five.",
    whole(0, 10_000),
  ),
  ownerSends: setting(
    "OWNER_SENDS",
    "60",
    "Single deliveries of one owner that are sent again, or before their time, within a minute; 0: no limit.",
    whole(0, 10_000),
  ),
  ownerCheckups: setting(
    "OWNER_CHECKUPS",
    "3",
    "Check-ups of one owner's receivers within a minute, of a dozen requests each; 0: no limit.",
    whole(0, 10_000),
  ),
  ownerUrlChecks: setting(
    "OWNER_URL_CHECKS",
    "60",
    "URLs of one owner that are checked within a minute, while typed or when saved, and pasted requests; 0: no limit.",
    whole(0, 10_000),
  ),
  ownerBulkActions: setting(
    "OWNER_BULK_ACTIONS",
    "10",
    "Replays, copies, and sending what waits or was held, of one owner within a minute; 0: no limit.",
    whole(0, 10_000),
  ),
  ownerChanges: setting(
    "OWNER_CHANGES",
    "120",
    "Other changes and revealed secrets of one owner, by portal sessions, within a minute; 0: no limit.",
    whole(0, 10_000),
  ),
  keyRate: setting(
    "KEY_RATE",
    "20000",
    "Requests in a second that one API key may make to one instance; 0: no limit.",
    whole(0, 1_000_000),
  ),
  samplePort: setting(
    "SAMPLE_PORT",
    "8081",
    "Of the sample receiver, in development mode only; 0 takes a free one.",
    whole(0, 65_535, "port"),
  ),
  sampleMarketplacePort: setting(
    "SAMPLE_MARKETPLACE_PORT",
    "8082",
    "Of the sample marketplace, in development mode only; 0 takes a free one.",
    whole(0, 65_535, "port"),
  ),
  logLevel: setting(
    "LOG_LEVEL",
    "info",
    "trace, debug, info, warn, error or silent. At debug every attempt is logged, at info the failed ones.",
    kind("word", oneOf(["trace", "debug", "info", "warn", "error", "silent"])),
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S> =
  S extends Setting<infer T, infer Fallback> ? (Fallback extends null ? T | null : T) : never;

/** Settings without a default may be absent. */
export type Config = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

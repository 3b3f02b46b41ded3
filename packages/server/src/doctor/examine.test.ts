import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectConfig } from "../settings/config.ts";
import { CATALOGUE, type FindingCode } from "./catalogue.ts";
import { examine } from "./examine.ts";
import type { Facts } from "./facts.ts";
import {
  base64,
  CLEAN_ENV,
  cleanFacts,
  onPostgres,
  sqlite,
  without,
} from "./testing/clean-facts.ts";

const clean = cleanFacts();
const { files, system, service } = clean;
const WEAK = new Uint8Array(32).fill(7);
const [KEY = WEAK] = clean.keys.keys;

function withEnv(env: Record<string, string>): Facts {
  return cleanFacts({ env });
}

function broken(env: Record<string, string>): Facts {
  return { ...clean, ...inspectConfig({ ...CLEAN_ENV, ...env }) };
}

function running(checks: Record<string, string>, ready = true): Facts {
  return { ...clean, service: { ...service, found: { ready, checks } } };
}

const INSTANCE = { instanceNo: 1, name: "a:1", startedAt: 0, networkSuspected: false };
const instance = (version: string) => ({ ...INSTANCE, version, renewedAt: system.wallNow });
const MIXED = [instance("1.0.0"), instance("2.0.0")];
const late = sqlite({ latestAt: system.wallNow - 60_000, instances: [instance("1.0.0")] });
const postgres = onPostgres();
const onPerMachineKey = { ...postgres, config: { ...postgres.config, masterKey: null } };
const allowing = (entries: string): Facts => withEnv({ MARKETHOOK_ALLOW_TARGETS: entries });
const NOTED = '{"MARKETHOOK_SERVICE_NAME":"Castle"}';
const TRUST = { MARKETHOOK_TRUST_PROXY: "10.0.0.1" };

/** What is planted, and the codes of what is found, no more and no fewer. */
const PLANTED: readonly [what: string, facts: Facts, ...codes: FindingCode[]][] = [
  ["a misspelt setting", broken({ MARKETHOOK_PROT: "1" }), "setting_invalid"],
  ["every proxy trusted", broken({ MARKETHOOK_TRUST_PROXY: "true" }), "setting_invalid"],
  ["all origins may embed", broken({ MARKETHOOK_EMBED_ORIGINS: "*" }), "setting_invalid"],
  [
    "notices without a secret",
    broken({ MARKETHOOK_NOTICES_URL: "https://market.example/notices" }),
    "setting_invalid",
  ],
  ["metadata allowed", allowing("169.254.0.0/16"), "guard_metadata"],
  ["metadata allowed over IPv6", allowing("[fd00:ec2::254]:80"), "guard_metadata"],
  ["everything allowed", allowing("0.0.0.0/0"), "guard_metadata"],
  ["loopback allowed", allowing("127.0.0.0/8"), "guard_loopback"],
  ["loopback allowed on one port", allowing("127.0.0.1:9000"), "guard_loopback"],
  ["loopback allowed over IPv6", allowing("::1"), "guard_loopback"],
  ["a wide range allowed", allowing("10.0.0.0/8"), "guard_wide"],
  ["a host of the inner network allowed", allowing("10.0.0.7:8080"), "guard_opened"],
  ["ports unblocked", withEnv({ MARKETHOOK_BLOCK_PORTS: "25" }), "ports_unblocked"],
  ["retention shorter than retries", withEnv({ MARKETHOOK_RETENTION: "1d" }), "retention_short"],
  [
    "short memory of reports",
    withEnv({ MARKETHOOK_IDEMPOTENCY_RETENTION: "1h" }),
    "idempotency_short",
  ],
  ["no log", withEnv({ MARKETHOOK_LOG_LEVEL: "silent" }), "log_silent"],
  [
    "a data folder for everybody",
    { ...clean, files: { ...files, dataDir: { path: "d", mode: 0o40755, bytes: 0 } } },
    "data_dir_open",
  ],
  [
    "a data folder of somebody else",
    { ...clean, files: { ...files, writable: false } },
    "data_dir_not_writable",
  ],
  [
    "a file system that is read-only",
    {
      ...clean,
      files: { ...files, writable: false },
      database: { kind: "sqlite", engine: "3.53.1", inspection: null, fault: "unable to open" },
    },
    "data_dir_not_writable",
  ],
  [
    "a file for a folder",
    { ...clean, files: { ...files, dataDir: { path: "d", mode: 0o100600, bytes: 0 } } },
    "data_dir_not_writable",
  ],
  [
    "a database of somebody else",
    {
      ...clean,
      files: { ...files, closed: ["data/markethook.sqlite"] },
      database: { kind: "sqlite", engine: "3.53.1", inspection: null, fault: "closed" },
    },
    "data_dir_not_writable",
  ],
  [
    "a database that is none",
    { ...clean, database: { kind: "sqlite", engine: "3.53.1", inspection: null, fault: "no" } },
    "database_unreadable",
  ],
  [
    "a database in the place of another",
    { ...clean, files: { ...files, replaced: true } },
    "database_replaced",
  ],
  [
    "a folder whose data went to PostgreSQL",
    { ...clean, files: { ...files, movedTo: "PostgreSQL at db.example/markethook" } },
    "data_moved",
  ],
  [
    "a database for everybody",
    { ...clean, files: { ...files, database: [{ path: "d", mode: 0o644, bytes: 0 }] } },
    "database_file_open",
  ],
  [
    "a key for the group",
    { ...clean, files: { ...files, key: { path: "k", mode: 0o640, bytes: 0 } } },
    "key_file_open",
  ],
  ["a key that is lost", { ...lost(), keys: { keys: [], fault: null } }, "master_key_missing"],
  [
    "a named key file that is not there",
    { ...clean, keys: { keys: [], fault: null, missing: "There is no file k." } },
    "master_key_missing",
  ],
  ["another key", lost(), "master_key_wrong"],
  [
    "a broken key file",
    { ...clean, keys: { keys: [], fault: "It is no key." } },
    "master_key_wrong",
  ],
  ["a weak key", { ...clean, keys: { keys: [WEAK], fault: null } }, "master_key_weak"],
  [
    "a key and a key file",
    withEnv({ MARKETHOOK_MASTER_KEY: base64(KEY), MARKETHOOK_MASTER_KEY_FILE: "k" }),
    "master_key_twice",
  ],
  [
    "several keys",
    { ...clean, keys: { keys: [KEY, KEY.toReversed()], fault: null } },
    "master_keys_several",
  ],
  [
    "secrets of a forgotten key",
    { ...lost(), database: sqlite({ encryptedBy: "abcdefgh", secretsEncryptedBy: { old: 3 } }) },
    "master_key_wrong",
    "secrets_unreadable",
  ],
  ["a clock set back", { ...clean, database: sqlite({ latestAt: 9e15 }) }, "clock_was_ahead"],
  ["a service with a late clock", { ...running({}), database: late }, "clock_behind"],
  ["a clock ahead of the server's", onPostgres({ now: system.wallNow - 60_000 }), "clock_off"],
  ["a clock behind the server's", onPostgres({ now: system.wallNow + 60_000 }), "clock_off"],
  [
    "a text among numbers",
    { ...clean, database: sqlite({ noNumbers: ["ended.created_at (seq 12)"] }) },
    "rows_damaged",
  ],
  ["pending migrations", { ...clean, database: sqlite({ known: 3 }) }, "schema_behind"],
  [
    "a schema that lacks a part",
    { ...clean, database: sqlite({ known: 3, missing: ["index events_by_resource"] }) },
    "schema_unknown",
  ],
  ["a newer schema", { ...clean, database: sqlite({ applied: 9 }) }, "schema_newer"],
  ["two versions", onPostgres({ instances: MIXED }), "versions_mixed"],
  [
    "instances that were there an hour ago, by the database's clock",
    onPostgres({ now: system.wallNow + 3_600_000, instances: MIXED }),
    "clock_off",
  ],
  ["a name that instances do not have", onPostgres({ settings: NOTED }), "settings_differ"],
  ["a forgotten SQLite", { ...onPostgres(), files: { ...files, key: null } }, "two_databases"],
  ["no server", onPostgres({}, { inspection: null, fault: "refused" }), "database_unreachable"],
  ["an old server", onPostgres({ serverVersion: 130_010 }), "postgres_too_old"],
  ["a server that is slow to reply", onPostgres({ replyMs: 100 }), "database_slow"],
  ["another search path", onPostgres({ elsewhere: "hooks" }), "tables_elsewhere"],
  ["an encoding of the past", onPostgres({ encoding: "SQL_ASCII" }), "postgres_encoding"],
  ["no flushing", onPostgres({ fsync: false }), "postgres_fsync_off"],
  ["torn pages", onPostgres({ fullPageWrites: false }), "postgres_full_page_writes_off"],
  ["whole pages in the log", onPostgres({ walCompression: false }), "wal_uncompressed"],
  [
    "a backup that began an hour ago",
    onPostgres({ oldestSnapshot: { pid: 7, application: "pg_dump", seconds: 3600 } }),
    "long_transaction",
  ],
  ["little log between checkpoints", onPostgres({ maxWalMib: 1024 }), "checkpoints_often"],
  [
    "what a cut reindex left",
    onPostgres({ invalidIndexes: ["index pending_by_due_ccnew"] }),
    "index_invalid",
  ],
  ["commits in memory", onPostgres({ synchronousCommit: "off" }), "commits_not_durable"],
  ["a user without rights", onPostgres({ lackingRights: "No." }), "database_rights_missing"],
  ["a standby as primary", onPostgres({ readOnly: true }), "database_read_only"],
  ["plain text to the server", onPostgres({ encrypted: false }), "database_unencrypted"],
  ["a pooler and no way past it", onPostgres({ pooled: true }), "pooler_in_the_way"],
  [
    "a way past the pooler that leads elsewhere",
    onPostgres({ pooled: true }, { direct: { pooled: false }, directLeads: "two_databases" }),
    "direct_url_elsewhere",
  ],
  [
    "a pooler on the way past it",
    onPostgres({ pooled: true }, { direct: { pooled: true } }),
    "pooler_in_the_way",
  ],
  [
    "a way past it that leads nowhere",
    onPostgres({ pooled: true }, { direct: { fault: "refused" } }),
    "database_unreachable",
  ],
  ["few connections", onPostgres({ connections: 10 }), "connections_few"],
  [
    "no standby where two are expected",
    onPostgres({}, {}, { MARKETHOOK_EXPECT_STANDBYS: "2" }),
    "standby_missing",
  ],
  [
    "one standby where two are expected",
    onPostgres(
      { synchronousStandbyNames: "ANY 2 (a, b)", standbys: ["quorum", "async"] },
      {},
      { MARKETHOOK_EXPECT_STANDBYS: "2" },
    ),
    "standby_missing",
  ],
  ["a named standby that is away", onPostgres({ synchronousStandbyNames: "a" }), "standby_missing"],
  [
    "a standby that nobody waits for",
    onPostgres({
      synchronousStandbyNames: "a",
      standbys: ["sync"],
      synchronousCommit: "local",
    }),
    "standby_not_awaited",
  ],
  [
    "standbys that this user may not see",
    onPostgres({ synchronousStandbyNames: "a", standbys: [null] }),
    "standby_unseen",
  ],
  ["a key per machine", onPerMachineKey, "master_key_not_shared"],
  [
    "an old engine",
    { ...clean, database: { ...sqlite(), engine: "3.51.2" } as Facts["database"] },
    "engine_too_old",
  ],
  ["a network file system", { ...clean, files: { ...files, network: true } }, "network_filesystem"],
  [
    "a full disk, on which SQLite cannot read either",
    {
      ...clean,
      files: { ...files, freeBytes: 4096 },
      database: { kind: "sqlite", engine: "3.53.1", inspection: null, fault: "disk I/O error" },
    },
    "disk_nearly_full",
  ],
  ["a full disk", { ...clean, files: { ...files, freeBytes: 1 } }, "disk_nearly_full"],
  [
    "a log that is never folded back",
    {
      ...clean,
      files: { ...files, database: [{ path: "m-wal", mode: 0o600, bytes: 1024 ** 3 }] },
    },
    "wal_large",
  ],
  [
    "no base URL",
    { ...clean, ...inspectConfig(without("MARKETHOOK_BASE_URL")) },
    "base_url_missing",
  ],
  [
    "a base URL without TLS",
    withEnv({ MARKETHOOK_BASE_URL: "http://market.example" }),
    "base_url_not_https",
  ],
  [
    "a base URL of this machine",
    withEnv({ MARKETHOOK_BASE_URL: "http://localhost:3000" }),
    "base_url_private",
  ],
  [
    "no public URL",
    { ...clean, ...inspectConfig(without("MARKETHOOK_PUBLIC_URL")) },
    "public_url_missing",
  ],
  [
    "a public URL without TLS",
    withEnv({ MARKETHOOK_PUBLIC_URL: "http://hooks.market.example" }),
    "public_url_not_https",
  ],
  ["open to all, without a proxy", withEnv({ MARKETHOOK_HOST: "0.0.0.0" }), "listens_openly"],
  [
    "a whole world of proxies",
    withEnv({ MARKETHOOK_TRUST_PROXY: "0.0.0.0/1, 10.0.0.1" }),
    "proxy_trusted_widely",
  ],
  [
    "a proxy that is none",
    withEnv({ ...TRUST, MARKETHOOK_PUBLIC_URL: "https://hooks.market.example:8080" }),
    "proxy_trusted_without_proxy",
  ],
  [
    "a page of plain http that embeds",
    withEnv({ MARKETHOOK_EMBED_ORIGINS: "http://market.example" }),
    "embed_origin_not_https",
  ],
  [
    "owners sent to plain http",
    withEnv({ MARKETHOOK_PORTAL_ENTRY_URL: "http://market.example/webhooks" }),
    "portal_entry_not_https",
  ],
  [
    "notices in plain text",
    withEnv({
      MARKETHOOK_NOTICES_URL: "http://market.example/n",
      MARKETHOOK_NOTICES_SECRET: base64(KEY),
    }),
    "notices_url_not_https",
  ],
  ["few files", { ...clean, system: { ...system, openFiles: 1024 } }, "file_descriptors_few"],
  ["little memory", { ...clean, system: { ...system, memoryBytes: 2 ** 27 } }, "memory_short"],
  [
    "little memory for the sender threads of eight cores",
    { ...clean, system: { ...system, memoryBytes: 640 * 1024 ** 2, cores: 8 } },
    "memory_short",
  ],
  ["no names", { ...clean, system: { ...system, resolverFault: "ETIMEOUT" } }, "resolver_silent"],
  [
    "a proxy that is down",
    { ...clean, system: { ...system, egressProxyFault: "p:1: ECONNREFUSED" } },
    "egress_proxy_silent",
  ],
  ["a service that is not ready", running({ store: "not writable" }, false), "service_not_ready"],
  ["another program", { ...clean, service: { ...service, found: "other" } }, "port_taken"],
  ["development mode", running({ mode: "development" }), "development_running"],
  ["samples", { ...clean, files: { ...files, samples: true } }, "development_data"],
  ["sending held", withEnv({ MARKETHOOK_DRY_RUN: "true" }), "dry_run"],
  ["a dry run", running({ sending: "dry run (MARKETHOOK_DRY_RUN)" }), "dry_run"],
];

test("a deployment in order has no finding, on either database", () => {
  assert.deepEqual(examine(clean), []);
  assert.deepEqual(examine(postgres), []);
  // A data folder is not used there, as the master key comes from elsewhere, too.
  const closed = { ...postgres.files, writable: false, closed: ["data"], replaced: true };
  assert.deepEqual(examine({ ...postgres, files: closed }), []);
  const replicated = { synchronousStandbyNames: "a", standbys: ["sync"] };
  assert.deepEqual(examine(onPostgres(replicated, {}, { MARKETHOOK_EXPECT_STANDBYS: "1" })), []);
  assert.deepEqual(examine(onPostgres({ pooled: true }, { direct: { pooled: false } })), []);
  assert.deepEqual(examine(withEnv({ ...TRUST, MARKETHOOK_HOST: "0.0.0.0" })), []);
  assert.deepEqual(examine(running({ store: "writable", lease: "valid" })), []);
  assert.deepEqual(examine({ ...clean, database: late }), [], "it does not run");
});

for (const [what, facts, ...codes] of PLANTED) {
  test(`${what}: ${codes.join(", ")}`, () => {
    const found = examine(facts);
    assert.deepEqual(
      found.map(({ code }) => code),
      codes,
    );
    for (const { sentence, advice } of found) {
      assert.match(sentence, /[.:]/);
      assert.match(advice, /\.$/);
    }
  });
}

test("every code of the catalogue is planted here", () => {
  const planted = new Set(PLANTED.flatMap(([, , ...codes]) => codes));
  assert.deepEqual(
    Object.keys(CATALOGUE).filter((code) => !planted.has(code as FindingCode)), // Its keys are the codes.
    [],
    "each finding has a case in PLANTED of this test: add one",
  );
});

test("the worst comes first", () => {
  const found = examine({
    ...withEnv({ MARKETHOOK_DRY_RUN: "true", MARKETHOOK_ALLOW_TARGETS: "127.0.0.1" }),
    keys: { keys: [KEY, KEY.toReversed()], fault: null },
  });
  assert.deepEqual(
    found.map(({ level }) => level),
    ["error", "warning", "info"],
  );
});

function lost(): Facts {
  return { ...clean, database: sqlite({ encryptedBy: "abcdefgh" }) };
}

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { masterKeyId, upgradePostgres, upgradeSqlite } from "@markethook/store";
import { createTestDatabase, execute } from "@markethook/store/testing";
import type { FindingCode } from "./catalogue.ts";
import { examine } from "./examine.ts";
import { gatherFacts } from "./gather.ts";
import { CLEAN_ENV } from "./testing/clean-facts.ts";
import { startPooler } from "./testing/pooler.ts";

/** Of the machine that the tests run on. */
const OF_MACHINE = new Set<FindingCode>([
  "file_descriptors_few",
  "memory_short",
  "resolver_silent",
  "disk_nearly_full",
  "network_filesystem",
]);
const KEY = randomBytes(32).toString("base64");

async function find(env: Record<string, string>): Promise<FindingCode[]> {
  const findings = examine(await gatherFacts({ ...CLEAN_ENV, MARKETHOOK_PORT: "0", ...env }));
  return findings.map(({ code }) => code).filter((code) => !OF_MACHINE.has(code));
}

async function dataFolder(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "markethook-doctor-"));
  t.after(() => rmSync(folder, { recursive: true }));
  await upgradeSqlite(folder);
  const keyFile = join(folder, "master.key");
  writeFileSync(keyFile, `${KEY}\n`, { mode: 0o600 });
  return { folder, keyFile, env: { MARKETHOOK_DATA_DIR: folder } };
}

function change(folder: string, sql: string): void {
  const db = new DatabaseSync(join(folder, "markethook.sqlite"));
  db.exec(sql);
  db.close();
}

test("a folder in order has nothing to be found, nor one that is not there yet, and none is changed", async (t) => {
  const { folder, env } = await dataFolder(t);
  const files = readdirSync(folder);
  assert.deepEqual(await find(env), []);
  assert.deepEqual(readdirSync(folder), files);
  assert.deepEqual(await find({ MARKETHOOK_DATA_DIR: join(tmpdir(), "none", "yet") }), []);
});

test("a folder of which nothing can be known is found, as where one around it is closed", async (t) => {
  const { keyFile } = await dataFolder(t);
  assert.deepEqual(await find({ MARKETHOOK_DATA_DIR: join(keyFile, "data") }), [
    "data_dir_not_writable",
  ]);
});

test("an egress proxy is found when it takes no connection", async (t) => {
  const { env } = await dataFolder(t);
  const proxy = createServer();
  const port = await listenOnLoopback(proxy);
  const own = { ...env, MARKETHOOK_EGRESS_PROXY: `http://u:p@127.0.0.1:${port}` };
  assert.deepEqual(await find(own), []);
  await new Promise((resolve) => proxy.close(resolve));
  assert.deepEqual(await find(own), ["egress_proxy_silent"]);
});

test("what is planted in a folder is found there", async (t) => {
  const { folder, keyFile, env } = await dataFolder(t);
  chmodSync(folder, 0o755);
  chmodSync(keyFile, 0o644);
  chmodSync(join(folder, "markethook.sqlite"), 0o640);
  writeFileSync(join(folder, "sample-marketplace.json"), "{}");
  const planted = ["data_dir_open", "database_file_open", "key_file_open", "development_data"];
  assert.deepEqual(await find(env), planted);
});

test("a lost, a wrong, a broken and an unreadable key, and a clock set back, are told from the database", async (t) => {
  const { folder, keyFile, env } = await dataFolder(t);
  const ofKey = masterKeyId(Buffer.from(KEY, "base64"));
  change(folder, `insert into meta (key, value) values ('dedupe_secret', 's1.${ofKey}.x')`);
  assert.deepEqual(await find(env), []);
  const other = randomBytes(32).toString("base64");
  assert.deepEqual(await find({ ...env, MARKETHOOK_MASTER_KEY: other }), ["master_key_wrong"]);
  const both = { ...env, MARKETHOOK_MASTER_KEY: `${other},${KEY}` };
  assert.deepEqual(await find(both), ["master_keys_several"]);
  writeFileSync(keyFile, "short");
  assert.deepEqual(await find(env), ["master_key_wrong"]);
  rmSync(keyFile);
  assert.deepEqual(await find(env), ["master_key_missing"]);
  // As Docker makes one. One that another user owns cannot be read either.
  mkdirSync(keyFile, { mode: 0o700 });
  assert.deepEqual(await find(env), ["master_key_missing"]);
  rmdirSync(keyFile);
  writeFileSync(keyFile, KEY, { mode: 0o600 });
  change(folder, `update counters set value = ${Date.now() + 600_000} where name = 'clock'`);
  assert.deepEqual(await find(env), ["clock_was_ahead"]);
});

test("a text among numbers is found with its table, its column and its row", async (t) => {
  const { folder, env } = await dataFolder(t);
  for (const sql of [
    "insert into resources (id, owner_id, title, subtitle, created_at, updated_at) values ('r', 'o', 'T', '', 'x', 1)",
    "insert into notices (kind, owner_id, resource_id, detail, created_at) values ('k', '', '', '{}', x'00')",
    "insert into pulls (webhook_no, by_person, began_at, next_at, after_due_at, after_seq) values (1, 1, 1.5, 2, 3, 'y')",
  ])
    change(folder, sql);
  const { database } = await gatherFacts({ ...CLEAN_ENV, MARKETHOOK_PORT: "0", ...env });
  assert.ok(database.kind === "sqlite");
  assert.deepEqual(database.inspection?.noNumbers, [
    "notices.created_at (no 1)",
    "pulls.after_seq (webhook_no 1)",
    "resources.created_at (id r)",
  ]);
  assert.deepEqual(await find(env), ["rows_damaged"]);
});

test("PostgreSQL: its settings, a standby that is away and a pooler are found, without its password", async (t) => {
  const database = await createTestDatabase();
  const pooler = await startPooler(database.url);
  t.after(async () => {
    await pooler.close();
    await database.drop();
  });
  const folder = mkdtempSync(join(tmpdir(), "markethook-doctor-"));
  t.after(() => rmSync(folder, { recursive: true }));
  // Tests' servers do without flushing.
  const unsafe: FindingCode = "postgres_fsync_off";
  const common = { MARKETHOOK_DATA_DIR: folder, MARKETHOOK_MASTER_KEY: KEY };
  const env = { ...common, MARKETHOOK_DATABASE_URL: database.url };
  // And as a server is set up that nobody has touched.
  const untouched: FindingCode[] = ["wal_uncompressed", "checkpoints_often"];
  assert.deepEqual(await find(env), [unsafe, ...untouched]);
  await upgradePostgres(database.url);
  assert.deepEqual(await find(env), [unsafe, ...untouched]);

  await execute(
    database.url,
    `alter database ${new URL(database.url).pathname.slice(1)} set synchronous_commit = off`,
  );
  assert.deepEqual(await find({ ...env, MARKETHOOK_EXPECT_STANDBYS: "1" }), [
    unsafe,
    "standby_missing",
    ...untouched,
    "commits_not_durable",
  ]);
  const pooled = { ...common, MARKETHOOK_DATABASE_URL: pooler.url };
  assert.ok((await find(pooled)).includes("pooler_in_the_way"));
  const past = { ...pooled, MARKETHOOK_DATABASE_DIRECT_URL: database.url };
  assert.deepEqual(
    (await find(past)).filter((code) => /pooler|direct/.test(code)),
    [],
  );
  const other = await createTestDatabase();
  t.after(() => other.drop());
  const elsewhere = { ...pooled, MARKETHOOK_DATABASE_DIRECT_URL: other.url };
  assert.ok((await find(elsewhere)).includes("direct_url_elsewhere"));
  assert.ok(
    (await find({ ...env, MARKETHOOK_DATABASE_DIRECT_URL: pooler.url })).includes(
      "pooler_in_the_way",
    ),
  );

  const nobody = { MARKETHOOK_DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/x" };
  const findings = examine(await gatherFacts({ ...CLEAN_ENV, ...common, ...nobody }));
  assert.ok(findings.some(({ code }) => code === "database_unreachable"));
  assert.doesNotMatch(JSON.stringify(findings), /hunter2/);
});

test("PostgreSQL: a server that is reached by a socket is one of this machine", async () => {
  for (const url of ["postgres://u@%2Fno%2Fsuch/x", "postgres://u@/x?host=/no/such"]) {
    const env = { MARKETHOOK_PORT: "0", MARKETHOOK_DATABASE_URL: url };
    const { database: facts } = await gatherFacts({ ...CLEAN_ENV, ...env });
    assert.ok(facts.kind === "postgres");
    assert.deepEqual([facts.local, facts.name], [true, "PostgreSQL at /no/such/x"]);
  }
});

test("PostgreSQL: how long a reply takes is measured, on the whole way", async (t) => {
  const database = await createTestDatabase();
  const slow = await startPooler(database.url, 30);
  t.after(async () => {
    await slow.close();
    await database.drop();
  });
  const env = { MARKETHOOK_PORT: "0", MARKETHOOK_DATABASE_URL: slow.url };
  const { database: facts } = await gatherFacts({ ...CLEAN_ENV, ...env });
  assert.ok(facts.kind === "postgres");
  // A timer may be a little early.
  assert.ok((facts.inspection?.replyMs ?? 0) >= 25, String(facts.fault));
});

test("what answers on the port is told apart: another program, and a service that is not ready", async (t) => {
  const { env } = await dataFolder(t);
  let answer: (path: string) => object = () => ({});
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer(request.url ?? "")));
  });
  const port = String(await listenOnLoopback(server));
  t.after(() => server.close().closeAllConnections());
  const beside = { ...env, MARKETHOOK_PORT: port };
  assert.deepEqual(await find(beside), ["port_taken"]);
  const index = { service: "markethook", version: "0.1.0" };
  answer = (path) => (path === "/" ? index : { status: "ready", checks: { store: "writable" } });
  assert.deepEqual(await find(beside), []);
  answer = (path) =>
    path === "/" ? index : { status: "ready", checks: { mode: "development", sending: "dry run" } };
  assert.deepEqual(await find(beside), ["development_running", "dry_run"]);
  answer = (path) => (path === "/" ? index : { status: 503, detail: "store: not writable." });
  assert.deepEqual(await find(beside), ["service_not_ready"]);
});

test("a service that takes connections and answers none, as a stopped or a hanging one, is not ready", async (t) => {
  const { env } = await dataFolder(t);
  const server = createServer(() => {});
  const port = String(await listenOnLoopback(server));
  t.after(() => server.close().closeAllConnections());
  // Its time is over at once.
  t.mock.method(AbortSignal, "timeout", () =>
    AbortSignal.abort(new DOMException("", "TimeoutError")),
  );
  assert.deepEqual(await find({ ...env, MARKETHOOK_PORT: port }), ["service_not_ready"]);
});

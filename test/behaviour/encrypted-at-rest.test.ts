import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { hashToken, makeApiKey } from "@markethook/api/tokens";
import { makeRandomId, makeSecret, WEBHOOK_ID_PREFIX } from "@markethook/protocol";
import {
  openPostgres,
  openSqlite,
  rotatePostgresMasterKey,
  rotateSqliteMasterKey,
  type MasterKeyRotationOptions,
  type Store,
} from "@markethook/store";
import { execute } from "@markethook/store/testing/postgres";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { size } from "../size.ts";
import { manageAddresses, sendToAddresses } from "./addresses-in-use.ts";

const baseUrl = "https://market.example";
const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

interface Place {
  open(masterKeys: Uint8Array[]): Promise<Store>;
  rotateMasterKey(
    options: Pick<MasterKeyRotationOptions, "masterKeys" | "dryRun">,
  ): ReturnType<typeof rotateSqliteMasterKey>;
  /** Every byte that somebody who takes the database gets. */
  dump(): Promise<Buffer>;
  sql(text: string): Promise<void>;
}

const PLACES: Readonly<Record<string, (t: TestContext) => Promise<Place>>> = {
  async SQLite(t) {
    const { folder, drop } = await sqlitePlace();
    t.after(drop);
    return {
      open: async (masterKeys) => await openSqlite({ folder, baseUrl, masterKeys }),
      rotateMasterKey: async (options) =>
        await rotateSqliteMasterKey(folder, { ...options, ...quiet }),
      dump: async () =>
        Buffer.concat(
          readdirSync(folder)
            .filter((name) => name.startsWith("markethook.sqlite"))
            .map((name) => readFileSync(join(folder, name))),
        ),
      async sql(text) {
        const db = new DatabaseSync(join(folder, "markethook.sqlite"));
        db.exec(text);
        db.close();
      },
    };
  },
  async PostgreSQL(t) {
    const { url, drop } = await postgresPlace();
    t.after(drop);
    const ask = async (text: string) => await execute(url, text);
    return {
      open: async (masterKeys) => await openPostgres({ url, baseUrl, masterKeys }),
      rotateMasterKey: async (options) =>
        await rotatePostgresMasterKey(url, { ...options, ...quiet }),
      async dump() {
        const tables = await ask("select tablename from pg_tables where schemaname = 'public'");
        const texts: string[] = [];
        for (const { tablename } of tables) {
          const rows = await ask(`select t::text as row from ${String(tablename)} t`);
          texts.push(...rows.map(({ row }) => String(row)));
        }
        return Buffer.from(texts.join("\n"));
      },
      sql: async (text) => void (await ask(text)),
    };
  },
};
const quiet = { onProgress: () => undefined, pause: async () => undefined };

for (const [name, openPlace] of Object.entries(PLACES).slice(0, size(1, 2))) {
  test(`${name}: none of 1,000 secrets is in the database, in any spelling`, async (t) => {
    const place = await openPlace(t);
    const store = await place.open([OLD]);
    t.after(async () => await store.close());
    const secrets = await plant(store);
    assert.equal(secrets.length, 1000);
    assert.equal(new Set(secrets).size, 1000);
    const dump = await place.dump();
    assert.ok(findAny(dump, [Buffer.from("market-owner-7")]).length > 0, "stored things are found");
    assert.deepEqual(findAny(dump, secrets.flatMap(spellings)), []);
  });

  test(`${name}: no webhook's address is in the database or told to the log, whatever became of it`, async (t) => {
    const place = await openPlace(t);
    const store = await place.open([OLD]);
    t.after(async () => await store.close());
    const managed = await manageAddresses(store);
    const { tokens, pinged, logged } = await sendToAddresses(store);
    for (const { sent, url } of pinged) {
      assert.equal(JSON.parse(sent).payload.webhook.url, url, "in a ping it stays exact");
    }
    const dump = await place.dump();
    for (const found of ["hooks.slack.com", "bot.example:8443", "elsewhere.example"]) {
      assert.ok(dump.includes(found), `${found} stays readable`);
    }
    const secrets = [...managed, ...tokens];
    assert.deepEqual(findAny(dump, secrets.flatMap(spellings)), []);
    assert.deepEqual(
      secrets.filter((secret) => logged.join("\n").includes(secret)),
      [],
    );
    const { broken } = await store.audit.verify(0, 10_000);
    assert.equal(broken, null);
  });

  test(`${name}: what was encrypted for one row opens in no other`, async (t) => {
    const place = await openPlace(t);
    const store = await place.open([OLD]);
    t.after(async () => await store.close());
    const [a, b] = await hooks(store, "x", 2, () => makeSecret(randomBytes));
    await place.sql(
      `update webhooks set secret = (select secret from webhooks where id = '${a?.id}') where id = '${b?.id}'`,
    );
    await assert.rejects(store.webhooks.revealSecrets(b?.id ?? "", null), refused);
    assert.equal((await store.webhooks.revealSecrets(a?.id ?? "", null)).current, a?.secret);
  });

  test(`${name}: encrypted again next to a running service, secrets open without the old key`, async (t) => {
    const place = await openPlace(t);
    const first = await place.open([OLD]);
    const planted = await hooks(first, "y", 100, () => makeSecret(randomBytes));
    await first.webhooks.rotate(planted[0]?.id ?? "", null, {
      secret: makeSecret(randomBytes),
      mode: "overlap",
      overlapSeconds: null,
    });
    await discord(first, "y");
    await first.instances.start("first", "1.0.0");
    await assert.rejects(place.rotateMasterKey({ masterKeys: [NEW, OLD], dryRun: false }), {
      code: "master_key_rotation_too_early",
    });
    await endAll(first);
    await first.close();

    const both = await place.open([NEW, OLD]);
    await both.instances.start("both", "1.0.0");
    const dry = await place.rotateMasterKey({ masterKeys: [NEW, OLD], dryRun: true });
    assert.deepEqual([dry.examined, dry.rotated], [101, 102]);
    const [done] = await Promise.all([
      place.rotateMasterKey({ masterKeys: [NEW, OLD], dryRun: false }),
      ...planted.slice(0, 20).map(async ({ id }) => await both.webhooks.pause(id, null)),
    ]);
    assert.equal(done.rotated, 102);
    const again = await place.rotateMasterKey({ masterKeys: [NEW, OLD], dryRun: false });
    assert.equal(again.rotated, 0);
    const { broken } = await both.audit.verify(0, 10_000);
    assert.equal(broken, null, "the audit log outlives the key");
    await endAll(both);
    await both.close();

    const retired = await place.open([NEW]);
    for (const { id, secret } of planted) {
      assert.equal((await retired.webhooks.revealSecrets(id, null)).current, secret);
    }
    await retired.close();
    await assert.rejects(place.open([OLD]), { code: "master_key_wrong" });
  });
}

async function plant(store: Store): Promise<string[]> {
  const generated = await hooks(store, "a", 100, () => makeSecret(randomBytes));
  const imported = await importHooks(store, 500);
  const next: string[] = [];
  for (const { id } of generated) {
    const secret = makeSecret(randomBytes);
    next.push(secret);
    await store.webhooks.rotate(id, null, { secret, mode: "overlap", overlapSeconds: 60 });
  }
  const keys: string[] = [];
  const tokens: string[] = [];
  for (let i = 0; i < 100; i += 1) {
    const key = makeApiKey(randomBytes);
    keys.push(key);
    const hash = hashToken(key);
    await store.apiKeys.create({ id: `key_${i}`, name: "n", scopes: [], hash, expiresAt: null });
    const [code, token] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("hex")];
    tokens.push(code, token);
    await store.portalSessions.create({
      id: `ps_${i}`,
      ownerId: "market-owner-7",
      resourceId: null,
      returnUrl: null,
      revealsSecrets: true,
      codeHash: hashToken(code),
      codeLifetimeMs: 60_000,
      lifetimeMs: 60_000,
      longestMs: 60_000,
    });
    if (i % 2 === 0) await store.portalSessions.exchange(hashToken(code), hashToken(token));
  }
  // Half of the tokens were never handed out; those that were are the ones that count.
  const chats: string[] = [];
  for (let i = 0; i < 50; i += 1) chats.push(await discord(store, `chat-${i}`));
  const handedOut = tokens.filter((_, i) => i % 4 !== 3);
  return [
    ...generated.map(({ secret }) => secret),
    ...imported,
    ...next,
    ...keys,
    ...handedOut,
    ...chats,
  ];
}

/** In one transaction. */
async function importHooks(store: Store, count: number): Promise<string[]> {
  const secrets = Array.from(
    { length: count },
    () => `imported ${randomBytes(12).toString("hex")}`,
  );
  const resources = Array.from({ length: count / 100 }, (_, i) => `b-${i}`);
  const results = await store.imports.run(
    [
      ...resources.map((id) => ({
        kind: "resource" as const,
        id,
        ownerId: "market-owner-7",
        title: "T",
        subtitle: "",
      })),
      ...secrets.map((secret, i) => ({
        kind: "webhook" as const,
        newId: makeRandomId(WEBHOOK_ID_PREFIX, randomBytes),
        resourceId: resources[Math.floor(i / 100)] ?? "",
        importId: String(i),
        url: "https://receiver.example/hook",
        events: null,
        description: "",
        secret,
        state: "active" as const,
      })),
    ],
    { dryRun: false },
  );
  assert.ok(results.every(({ kind }) => kind === "created"));
  return secrets;
}

/** 100 to a resource. */
async function hooks(store: Store, prefix: string, count: number, makeOne: () => string) {
  const made: { id: string; secret: string }[] = [];
  for (let i = 0; i < count; i += 1) {
    const resourceId = `${prefix}-${Math.floor(i / 100)}`;
    if (i % 100 === 0)
      await store.resources.put([
        { id: resourceId, ownerId: "market-owner-7", title: "T", subtitle: "" },
      ]);
    const [id, secret] = [makeRandomId(WEBHOOK_ID_PREFIX, randomBytes), makeOne()];
    const url = "https://receiver.example/hook";
    const given = { id, resourceId, url, events: null, description: "", secret };
    await store.webhooks.create({ ...given, format: "json" }, null);
    made.push({ id, secret });
  }
  return made;
}

/** Its address's token. */
async function discord(store: Store, name: string): Promise<string> {
  const resourceId = `${name}-discord`;
  await store.resources.put([{ id: resourceId, ownerId: "o", title: "T", subtitle: "" }]);
  const token = randomBytes(51).toString("base64url");
  await store.webhooks.create(
    {
      id: makeRandomId(WEBHOOK_ID_PREFIX, randomBytes),
      resourceId,
      url: `https://discord.com/api/webhooks/1234567890/${token}`,
      format: "discord",
      shownUrl: "https://discord.com/api/webhooks/1234567890/…",
      chat: "{}",
      events: null,
      description: "",
      secret: makeSecret(randomBytes),
    },
    null,
  );
  return token;
}

function spellings(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64").replace(/=+$/, "").slice(0, -1);
  return [
    bytes,
    Buffer.from(bytes.toString("hex")),
    Buffer.from(bytes.toString("hex").toUpperCase()),
    Buffer.from(base64),
    Buffer.from(base64.replaceAll("+", "-").replaceAll("/", "_")),
    Buffer.from(secret, "utf16le"),
    Buffer.from(secret, "utf16le").swap16(),
  ];
}

/** All at once: 7,000 searches through tens of megabytes would take minutes. */
function findAny(dump: Buffer, sought: readonly Buffer[]): string[] {
  const byStart = Map.groupBy(sought, (one) => one.readUInt32LE(0));
  const starts = new Uint8Array(65_536);
  for (const start of byStart.keys()) starts[start & 0xffff] = 1;
  const found: string[] = [];
  for (let i = 0; i + 4 <= dump.length; i += 1) {
    if (starts[(dump[i] ?? 0) | ((dump[i + 1] ?? 0) << 8)] === 0) continue;
    for (const one of byStart.get(dump.readUInt32LE(i)) ?? []) {
      if (dump.subarray(i, i + one.length).equals(one)) found.push(one.toString("latin1"));
    }
  }
  return found;
}

async function endAll(store: Store): Promise<void> {
  for (const { instanceNo } of await store.instances.list()) await store.instances.end(instanceNo);
}

function refused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "master_key_wrong";
}

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { makeSecret } from "@markethook/protocol";
import { randomBytes } from "node:crypto";
import { auditKeyOf, headSeal, rowHash, type StoredAuditRow } from "./hot/audit-chain.ts";
import type { OpenOptions } from "./open-options.ts";
import type { Store } from "./port/store.ts";
import { openPostgres } from "./postgres/open.ts";
import { createSeal } from "./seal.ts";
import { openSqlite } from "./sqlite/open.ts";
import { createTestDatabase, execute } from "./testing/postgres-server.ts";

const OPEN = { baseUrl: "https://market.example", masterKeys: [Buffer.alloc(32, 7)] };
const START = JSON.stringify({ step: "webhooks", after: { no: 0 }, found: false });
const TOKEN = "plain-token-of-an-earlier-version";
const URL = `https://hooks.slack.com/services/${TOKEN}`;
/** More than fit into a portion of any step. */
const [WEBHOOKS, CHANGES, DELIVERIES] = [210, 510, 1010];
const ACTOR = { kind: "api_key", id: "key_1", name: "a key", requestId: null } as const;

type Row = Record<string, unknown>;

interface Place {
  open(options?: Pick<OpenOptions, "onSealing">): Promise<Store>;
  sql(text: string): Promise<Row[]>;
  /** Every byte of it; on PostgreSQL what its tables have. */
  dump(): Promise<string>;
}

const PLACES: Readonly<Record<string, (t: TestContext) => Promise<Place>>> = {
  async SQLite(t) {
    const folder = mkdtempSync(join(tmpdir(), "markethook-plain-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    return {
      open: async (options) => await openSqlite({ ...OPEN, ...options, folder }),
      async sql(text) {
        const db = new DatabaseSync(join(folder, "markethook.sqlite"));
        try {
          if (text.startsWith("select")) return db.prepare(text).all();
          db.exec(text);
          return [];
        } finally {
          db.close();
        }
      },
      dump: async () =>
        readdirSync(folder)
          .map((name) => readFileSync(join(folder, name), "latin1"))
          .join("\n"),
    };
  },
  async PostgreSQL(t) {
    const { url, drop } = await createTestDatabase();
    t.after(drop);
    const sql = async (text: string): Promise<Row[]> => await execute(url, text);
    return {
      open: async (options) => await openPostgres({ ...OPEN, ...options, url }),
      sql,
      async dump() {
        const texts: string[] = [];
        for (const table of ["webhooks", "events", "done", "attempts", "audit", "notices"]) {
          texts.push(JSON.stringify(await sql(`select * from ${table}`)));
        }
        return texts.join("\n");
      },
    };
  },
};

for (const [name, openPlace] of Object.entries(PLACES)) {
  test(`${name}: a start seals what an earlier version stored plain, and goes on where it was killed`, async (t) => {
    const place = await openPlace(t);
    const id = await makePlain(place);
    assert.ok((await place.dump()).includes(TOKEN));

    const steps: string[] = [];
    for (const killedIn of ["webhooks", "ended deliveries", "attempts", "pings", "audit log"]) {
      await assert.rejects(
        place.open({
          onSealing({ step }) {
            steps.push(step);
            if (step === killedIn) throw new Error("killed");
          },
        }),
        /killed/,
      );
    }
    const store = await place.open({ onSealing: ({ step }) => steps.push(step) });
    t.after(async () => await store.close());
    assert.deepEqual(
      ["webhooks", "audit log"].map((step) => steps.filter((one) => one === step).length),
      [3, 2],
      "nothing is done twice",
    );

    assert.ok(!(await place.dump()).includes(TOKEN));
    const webhook = await store.webhooks.get(id, null);
    assert.deepEqual([webhook.url, webhook.host], ["https://hooks.slack.com/…", "hooks.slack.com"]);
    assert.equal(await store.webhooks.revealUrl(id, null), URL);
    const [sendable] = await store.webhooks.forSending([webhook.no]);
    assert.equal(sendable?.url, URL);
    const [done] = await place.sql("select first_attempt from done where seq = 129");
    assert.deepEqual(JSON.parse(String(done?.["first_attempt"])), {
      at: 1,
      profile: 1,
      url: "https://hooks.slack.com/…",
      nonce: "n",
      timestamp: 1,
      signature: "s",
      headers: [["Location", "https://elsewhere.example/…"]],
      body: "no … here",
    });
    const { broken } = await store.audit.verify(0, 10_000);
    assert.equal(broken, null);
    await assert.rejects(place.sql("update audit set became = null"), /never changed/);
  });

  test(`${name}: a row of the audit log that was changed before does not fit after its URL is hidden`, async (t) => {
    const place = await openPlace(t);
    await makePlain(place);
    await place.sql("update audit set actor_name = 'somebody else' where no = 7");
    const store = await place.open();
    t.after(async () => await store.close());
    const { broken } = await store.audit.verify(0, 10_000);
    assert.deepEqual(broken, { no: 7, why: "it was changed" });
    assert.ok(!(await place.dump()).includes(TOKEN));
  });
}

/** A database as the version before left it. Answers the id of a webhook. */
async function makePlain(place: Place): Promise<string> {
  const store = await place.open();
  await store.resources.put([{ id: "r", ownerId: "o", title: "T", subtitle: "" }]);
  const { webhooks } = store.actingAs(ACTOR);
  const webhook = { resourceId: "r", url: URL, format: "json", events: null } as const;
  const secret = makeSecret(randomBytes);
  const { id, no } = await webhooks.create(
    { ...webhook, id: "wh_a", description: "", secret },
    null,
  );
  await store.close();

  await addWebhooks(place);
  await place.sql(`update webhooks set url = '${URL}', shown_url = null, host = null`);
  await addLog(place, no);
  await place.sql(`update meta set value = '${START}' where key = 'addresses_sealed'`);
  await tellUrlInAudit(place);
  return id;
}

async function addWebhooks(place: Place): Promise<void> {
  const values = Array.from(
    { length: WEBHOOKS },
    (_, i) => `('wh_${i}', 'r', 'o', '', 'json', '', 'active', 's', 0, 1, 1)`,
  );
  await place.sql(
    `insert into webhooks (id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at)
     values ${values.join(", ")}`,
  );
}

async function addLog(place: Place, webhookNo: number): Promise<void> {
  const detail = JSON.stringify({
    at: 1,
    profile: 1,
    url: URL,
    nonce: "n",
    timestamp: 1,
    signature: "s",
    headers: [["Location", `https://elsewhere.example/services/${TOKEN}`]],
    body: `no ${TOKEN} here`,
  });
  const payload = JSON.stringify({ product: {}, webhook: { url: URL } });
  await place.sql(
    `insert into events (seq, tag, resource_id, kind, time, payload, accepted_at, touched_at)
     values (1, '0000000000', 'r', 0, 1, '${payload}', 1, 1)`,
  );
  const seqs = Array.from({ length: DELIVERIES }, (_, i) => 129 + i);
  const ended = seqs.map(
    (seq) => `(${seq}, 1, ${webhookNo}, 0, 0, 1, 'ok', 200, 0, 1, 1, '${detail}')`,
  );
  await place.sql(
    `insert into done (seq, event_seq, webhook_no, kind, state, attempts, outcome, status, origin, created_at, ended_at, first_attempt)
     values ${ended.join(", ")}`,
  );
  const attempts = seqs.map((seq) => `(${seq}, 2, 'ok', 200, '${detail}')`);
  await place.sql(
    `insert into attempts (delivery_seq, number, outcome, status, detail) values ${attempts.join(", ")}`,
  );
}

/** As it was told: in the chain, with the URL; the row of its creation again and again. */
async function tellUrlInAudit(place: Place): Promise<void> {
  const [meta] = await place.sql("select value from meta where key = 'facts_key'");
  const facts = createSeal(OPEN.masterKeys).open(String(meta?.["value"]), "facts_key");
  const key = auditKeyOf(Buffer.from(facts, "base64"));
  const stored = await place.sql("select * from audit order by no");
  const first = { ...stored.at(-1), at: Number(stored.at(-1)?.["at"]) } as StoredAuditRow; // All its columns.
  const became = first.became?.replace("https://hooks.slack.com/…", URL) ?? null;
  let last = { no: Number(first.no) - 1, hash: String(stored.at(-2)?.["hash"]) };
  const rows: string[] = [];
  while (rows.length < CHANGES) {
    const row = { ...first, no: last.no + 1, became };
    last = { no: row.no, hash: rowHash(key, last.hash, row) };
    const values = Object.values({ ...row, hash: last.hash });
    rows.push(`(${values.map((value) => (value === null ? "null" : `'${value}'`)).join(", ")})`);
  }
  await place.sql(
    `update audit set became = '${became}', hash = '${hashIn(rows[0])}' where no = ${first.no}`,
  );
  await place.sql(
    `insert into audit (${Object.keys(first).join(", ")}) values ${rows.slice(1).join(", ")}`,
  );
  await place.sql(
    `update audit_head set no = ${last.no}, hash = '${last.hash}', seal = '${headSeal(key, last)}'`,
  );
}

/** The last column. */
function hashIn(values: string | undefined): string {
  return values?.split("'").at(-2) ?? "";
}

import assert from "node:assert/strict";
import { beforeEach, test, type TestContext } from "node:test";
import type { ImportRecord } from "@markethook/store";
import { createTestApp, replaceActing, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
});

const RESOURCE = { kind: "resource", id: "map-1", title: "Castle", ownerId: "o-1" };
const WEBHOOK = {
  kind: "webhook",
  resourceId: "map-1",
  url: "https://bot.example/hook?a=1",
  events: ["product.user.purchase"],
  secret: "old secret",
};
const VERSION = { version: "1", id: "u1", time: 5, size: 10, fileType: "zip" };

const send = (records: unknown[], more: object = {}) =>
  api.send({ method: "POST", url: "/v1/import", payload: { records, ...more } });

async function results(records: unknown[], more: object = {}): Promise<Record<string, string>[]> {
  const answer = await send(records, more);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().results;
}

/** Keeps what is stored of what comes. */
function watchStored(t: TestContext): ImportRecord[] {
  const stored: ImportRecord[] = [];
  replaceActing(t, api.store, "imports", ({ run }) => ({
    run: async (records, options) => {
      const outcome = await run(records, options);
      if (!options.dryRun)
        stored.push(...records.filter((_, index) => outcome[index]?.kind === "created"));
      return outcome;
    },
  }));
  return stored;
}

test("every kind of record is taken, with its defaults, and known again", async (t) => {
  const imported = watchStored(t);
  const records = [
    RESOURCE,
    WEBHOOK,
    { ...WEBHOOK, importId: "7", state: "paused", createdAt: "2020-01-02T03:04:05Z" },
    { kind: "firstDownload", resourceId: "map-1", userId: 1, at: 5 },
    { kind: "fileVersion", resourceId: "map-1", ...VERSION },
  ];
  const created = Array.from(records, () => ({ status: "created" }));
  const ids = await results(records).then((made) => {
    assert.deepEqual(
      made.map(({ status }) => ({ status })),
      created,
    );
    return made.map(({ webhookId }) => webhookId);
  });
  const stored = imported.map((record) => {
    if ("newId" in record) assert.match(record.newId, /^wh_[0-9a-z]{20}$/);
    return Object.assign(record, { newId: "" });
  });
  const webhook = { ...WEBHOOK, newId: "", format: "json" };
  assert.deepEqual(stored, [
    { ...RESOURCE, subtitle: "", newId: "" },
    { ...webhook, state: "active" },
    { ...webhook, importId: "7", state: "paused", createdAt: Date.UTC(2020, 0, 2, 3, 4, 5) },
    { kind: "firstDownload", resourceId: "map-1", userId: 1, newId: "" },
    {
      kind: "fileVersion",
      resourceId: "map-1",
      fileVersion: { ...VERSION, size: "10", branch: "release" },
      newId: "",
    },
  ]);
  const again = records.map((_, i) =>
    ids[i] === undefined ? { status: "unchanged" } : { status: "unchanged", webhookId: ids[i] },
  );
  assert.deepEqual(await results(records), again);
  const line = api.world.lines.at(-1)?.fields;
  assert.deepEqual([line?.["records"], line?.["unchanged"], line?.["rejected"]], [5, 5, 0]);
});

test("the webhook of a chat needs no secret: one is made, unlike any other's", async (t) => {
  const stored = watchStored(t);
  const url = "https://discord.com/api/webhooks/123456789012345678/" + "a".repeat(68);
  const chat = { ...WEBHOOK, secret: undefined, url };
  const [created] = await results([RESOURCE, chat, { ...chat, importId: "8" }]);
  assert.equal(created?.["status"], "created");
  const made = stored.flatMap((one) => ("secret" in one ? [one] : []));
  assert.deepEqual(
    made.map(({ secretMade, format }) => [secretMade, format]),
    [
      [true, "discord"],
      [true, "discord"],
    ],
  );
  assert.notEqual(made[0]?.secret, made[1]?.secret);
});

test("a faulty record is rejected with code and pointer, and the others are stored", async () => {
  const faults: [unknown, string, string][] = [
    [null, "field_invalid", "/kind"],
    [{ kind: "buyer" }, "field_invalid", "/kind"],
    [{ ...RESOURCE, id: "a b" }, "resource_id_invalid", "/id"],
    [{ ...RESOURCE, title: "" }, "field_invalid", "/title"],
    [{ ...RESOURCE, tags: [] }, "field_unknown", "/tags"],
    [{ ...RESOURCE, title: "\ud800" }, "text_invalid", "/title"],
    [{ ...WEBHOOK, secret: undefined }, "secret_invalid", "/secret"],
    [{ ...WEBHOOK, secret: "ü" }, "secret_invalid", "/secret"],
    [{ ...WEBHOOK, secret: "whsk_c2VjcmV0" }, "secret_invalid", "/secret"],
    [{ ...WEBHOOK, events: ["ping"] }, "field_invalid", "/events/0"],
    [{ ...WEBHOOK, state: "disabled" }, "field_invalid", "/state"],
    [{ ...WEBHOOK, createdAt: "yesterday" }, "field_invalid", "/createdAt"],
    [{ ...WEBHOOK, createdAt: "2999-01-01T00:00:00Z" }, "field_invalid", "/createdAt"],
    [{ ...WEBHOOK, resourceId: "map-2" }, "resource_unknown", "/resourceId"],
    [{ kind: "firstDownload", resourceId: "map-1", userId: "7" }, "user_id_not_integer", "/userId"],
    [{ kind: "firstDownload", resourceId: "map-1", userId: 0 }, "user_id_not_integer", "/userId"],
    [{ kind: "fileVersion", resourceId: "map-1", ...VERSION, size: -1 }, "field_invalid", "/size"],
  ];
  const answers = await results([RESOURCE, ...faults.map(([record]) => record), WEBHOOK]);
  assert.equal(answers[0]?.["status"], "created");
  assert.equal(answers.at(-1)?.["status"], "created");
  for (const [i, [, code, pointer]] of faults.entries()) {
    const { status, detail, title, ...rest } = answers[i + 1] ?? {};
    assert.deepEqual(
      [status, rest],
      ["rejected", { code, pointer: `/records/${i + 1}${pointer}` }],
    );
    assert.ok(detail && title);
    assert.doesNotMatch(detail, /event/, "an import reports none");
  }
});

test("URLs are judged as at creation, each once, and not where nothing is new", async () => {
  const asked: string[] = [];
  api.deps.checkTarget = async (url) => {
    asked.push(url);
    return url.includes("10.0.0.1")
      ? { ok: false, code: "target_blocked", sentence: "Not there." }
      : { ok: true, resolved: true };
  };
  const blocked = { ...WEBHOOK, url: "http://10.0.0.1/", resourceId: "map-2" };
  const records = [RESOURCE, WEBHOOK, { ...WEBHOOK, importId: "2" }, blocked];
  const [, , , refused] = await results(records, { dryRun: true });
  assert.deepEqual([refused?.["code"], refused?.["pointer"]], ["target_blocked", "/records/3/url"]);
  assert.match(refused?.["detail"] ?? "", /^Not there\. /);
  assert.deepEqual(asked, [WEBHOOK.url, blocked.url]);
  await results(records);
  asked.length = 0;
  await results(records);
  assert.deepEqual(asked, [blocked.url]);
});

test("each webhook's result has its id here, also when it is imported again, but not of a dry run", async () => {
  const records = [RESOURCE, WEBHOOK, { ...WEBHOOK, importId: "2" }];
  const webhookIds = async (options?: { dryRun: boolean }) =>
    (await results(records, options)).map(({ webhookId }) => webhookId);
  assert.deepEqual(await webhookIds({ dryRun: true }), [undefined, undefined, undefined]);
  const made = await webhookIds();
  const found = await api.store.webhooks.list({
    ownerId: null,
    resourceId: RESOURCE.id,
    limit: 10,
  });
  assert.deepEqual(new Set(made.slice(1)), new Set(found.map(({ id }) => id)));
  assert.deepEqual(await webhookIds(), made);
});

test("a dry run stores nothing", async () => {
  assert.deepEqual(await results([RESOURCE], { dryRun: true }), [{ status: "created" }]);
  assert.equal(await api.store.resources.find(RESOURCE.id), null);
});

test("more than 1,000 records, none, and an unknown member are refused as a whole", async () => {
  const many = await send(Array.from({ length: 1001 }, () => RESOURCE));
  assert.deepEqual([many.statusCode, many.json().code], [422, "batch_too_large"]);
  assert.equal((await send([])).json().code, "field_invalid");
  assert.equal((await send([RESOURCE], { dryrun: true })).json().pointer, "/dryrun");
});

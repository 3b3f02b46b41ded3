import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { verify } from "@markethook/receiver/node";
import { call } from "../marketplace.ts";
import { startCapturingReceiver } from "../wire/capturing-receiver.ts";
import { type Gate, startGate } from "../gate.ts";
import { type Ended, runCommand, type RunningCommand, startCommand } from "./command-process.ts";
import { parseRequest, rejections, SECRET, shops } from "./import-samples.ts";
import { folder, service, useCommands } from "./use-commands.ts";

const BATCH = 1000;

let gate: Gate;
let files = 0;

useCommands({}, async () => {
  gate = await startGate(service.address);
});
after(() => gate.close());
beforeEach(() => {
  gate.count = 0;
  gate.treat = () => "pass";
});

test("killed half-way, the same command goes on, and everything is there once", async () => {
  const file = write(shops("kill", 1200));
  const progress = `${file}.markethook-import.json`;
  gate.treat = (number) => (number === 3 ? "withhold" : "pass");
  const withheld = gate.withheld();
  const killed = start([file]);
  await withheld;
  killed.signal("SIGKILL");
  await killed.ended;
  assert.equal(JSON.parse(readFileSync(progress, "utf8")).line, 2 * BATCH);

  gate.count = 0;
  gate.treat = () => "pass";
  const resumed = await run([file, "--json"]);
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.match(resumed.stderr, /Going on after line 2,000/);
  // The third batch was stored, and only its answer lost; of the fourth nothing was known.
  assert.equal(gate.count, 2);
  const { created, unchanged, records } = JSON.parse(resumed.stdout);
  assert.deepEqual([records, created, unchanged], [3600, 2600, 1000]);
  assert.equal(existsSync(progress), false);
  assert.deepEqual(
    [await count("resources", "kill"), await count("webhooks", "kill")],
    [1200, 1200],
  );

  const again = await run([file, "--json"]);
  assert.equal(JSON.parse(again.stdout).unchanged, 3600);
  assert.equal(await count("webhooks", "kill"), 1200);
});

test("what an owner has changed since stays when the file is imported again", async () => {
  const file = write(shops("own", 2));
  await run([file]);
  const [first, second] = await webhooks("own");
  await api("PATCH", `/webhooks/${first?.id}`, { url: "http://127.0.0.1:9/moved" });
  await api("DELETE", `/webhooks/${second?.id}`);
  const again = await run([file]);
  assert.equal(again.code, 0);
  assert.deepEqual(
    (await webhooks("own")).map(({ id, url }) => [id, url]),
    [[first?.id, "http://127.0.0.1:9/…"]],
  );
});

test("a dry run tells the same, across requests too, and changes nothing", async () => {
  const all = shops("dry", 400).map((line) => JSON.parse(line) as { kind: string });
  // Resources first: their webhooks are then in other requests than they.
  all.sort((a, b) => Number(a.kind !== "resource") - Number(b.kind !== "resource"));
  const file = write([
    ...all.map((one) => JSON.stringify(one)),
    '{"kind":"firstDownload","resourceId":"dry-none","userId":1}',
  ]);
  const dry = await run([file, "--dry-run", "--json"]);
  assert.equal(dry.code, 1);
  const { created, rejected, rejectedFile } = JSON.parse(dry.stdout);
  assert.deepEqual([created, rejected], [1200, 1]);
  assert.equal(rejections(rejectedFile)[0]?.code, "resource_unknown");
  assert.equal(await count("resources", "dry"), 0);
  assert.equal(existsSync(`${file}.markethook-import.json`), false);
});

test("rejected lines are told with number, member and code, and the others are imported", async () => {
  const [resource = "", webhook = "", download = ""] = shops("bad", 1);
  const lines = [
    `\ufeff${resource}\r`,
    "",
    "{",
    "[]",
    '{"kind":"buyer"}',
    webhook,
    webhook.replace('"secret"', '"secrt"'),
    webhook.replace("127.0.0.1", "10.0.0.1"),
    webhook.replace("bad-0", "bad-1"),
    `{"kind":"resource","id":"${"x".repeat(300_000)}"}`,
    '{"kind":"firstDownload","resourceId":"bad-0","userId":"7"}',
    download,
  ];
  const file = write(lines);
  const result = await run([file]);
  assert.equal(result.code, 1);
  assert.match(result.stderr, /^Line 8 \/url: This address is not allowed .* \[target_blocked\]$/m);
  assert.match(result.stdout, /^Imported \d+ of \d+ records of /m);
  assert.match(result.stdout, /^webhooks +1 +0 +0 +3$/m);
  assert.deepEqual(
    rejections(`${file}.rejected.jsonl`).map(({ line, code, pointer }) => [line, code, pointer]),
    [
      [3, "json_invalid", undefined],
      [4, "json_invalid", undefined],
      [5, "field_invalid", "/kind"],
      [7, "field_unknown", "/secrt"],
      [8, "target_blocked", "/url"],
      [9, "resource_unknown", "/resourceId"],
      [10, "body_too_large", undefined],
      [11, "user_id_not_integer", "/userId"],
    ],
  );
  assert.deepEqual([await count("resources", "bad"), await count("webhooks", "bad")], [1, 1]);
  assert.doesNotMatch(result.stderr + result.stdout, new RegExp(SECRET));
});

test("an imported webhook signs with its old secret, and imported first downloads are not sent", async () => {
  const receiver = await startCapturingReceiver();
  try {
    const lines = [
      '{"kind":"resource","id":"sign-0","title":"Castle","ownerId":"sign"}',
      JSON.stringify({
        kind: "webhook",
        resourceId: "sign-0",
        url: receiver.url,
        secret: SECRET,
      }),
      '{"kind":"fileVersion","resourceId":"sign-0","version":"1","id":"u1","time":5,"size":9,"fileType":"zip"}',
      '{"kind":"firstDownload","resourceId":"sign-0","userId":7}',
    ];
    // Through standard input, as from a pipe.
    const result = await run(["-"], { input: lines.join("\n") });
    assert.equal(result.code, 0, result.stderr);
    const report = (event: object) => api("POST", "/resources/sign-0/events", event);
    const download = (id: number) => report({ event: "product.user.firstDownload", user: { id } });
    assert.equal((await download(7))["status"], "duplicate");
    assert.equal((await download(8))["status"], "accepted");
    const version = { version: "2", id: "u2", size: 10, fileType: "zip" };
    await report({
      event: "product.update",
      update: { ...version, title: "Moat", description: "" },
    });
    await receiver.arrived(2);
    const events = receiver.requests.map((request) => {
      const { headers, body } = parseRequest(request);
      const verified = verify(body, headers, SECRET, { require: "service" });
      assert.ok(verified.ok && verified.kind === "event");
      assert.equal(headers["webhook-signature"], undefined);
      return verified.event;
    });
    const users = events.map(({ payload }) => ("user" in payload ? payload.user.id : "update"));
    assert.deepEqual(new Set(users), new Set([8, "update"]));
    const update = events.find(({ event }) => event === "product.update")?.payload;
    assert.equal(update !== undefined && "previous" in update && update.previous.id, "u1");
  } finally {
    await receiver.close();
  }
});

test("the records that the documentation shows are taken", async () => {
  const page = readFileSync("docs/reference/import-file.md", "utf8");
  const records = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text = ""]) =>
    JSON.stringify(JSON.parse(text)).replace("https://bot.example", "http://127.0.0.1:9"),
  );
  const result = await run(["-", "--json"], { input: records.join("\n") });
  const { created, updated, byKind } = JSON.parse(result.stdout);
  assert.deepEqual([result.code, created, updated, byKind.webhook.created], [0, 3, 1, 1]);
});

test("a service that is away for a moment is waited for", async () => {
  gate.treat = (number) => (number === 2 || number === 3 ? "drop" : "pass");
  const result = await run([write(shops("away", 500)), "--json"]);
  assert.equal(result.code, 0, result.stderr);
  assert.equal(JSON.parse(result.stdout).created, 1500);
});

test("Ctrl-C ends with 130 and keeps what is done; a changed file or another service is noticed", async () => {
  const file = write(shops("stop", 700));
  gate.treat = (number) => (number === 2 ? "withhold" : "pass");
  const withheld = gate.withheld();
  const interrupted = start([file]);
  await withheld;
  interrupted.signal("SIGINT");
  const { code, stderr } = await interrupted.ended;
  assert.equal(code, 130);
  assert.match(stderr, /Stopped after line 1,000\. The same command goes on from there\./);

  gate.treat = () => "pass";
  const elsewhere = await run([file], { url: service.address });
  assert.deepEqual([elsewhere.code, /was begun at/.test(elsewhere.stderr)], [2, true]);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace('Castle 1"', 'Castle I"'));
  const changed = await run([file]);
  assert.deepEqual([changed.code, /was changed since/.test(changed.stderr)], [2, true]);
  const restarted = await run([file, "--restart", "--json"]);
  const { created, updated, unchanged } = JSON.parse(restarted.stdout);
  assert.deepEqual([created + unchanged, updated], [2099, 1]);
});

test("Ctrl-C while the first records are on their way does not say that nothing was imported", async () => {
  gate.treat = () => "withhold";
  const withheld = gate.withheld();
  const interrupted = start([write(shops("first", 1))]);
  await withheld;
  interrupted.signal("SIGINT");
  const { stderr } = await interrupted.ended;
  assert.match(stderr, /^Stopped\. Some records may be imported; importing them again/);
});

test("lines that were appended since are imported too", async () => {
  const file = write(shops("more", 400));
  gate.treat = (number) => (number === 2 ? "withhold" : "pass");
  const withheld = gate.withheld();
  const killed = start([file]);
  await withheld;
  killed.signal("SIGKILL");
  await killed.ended;
  gate.treat = () => "pass";
  appendFileSync(file, '{"kind":"firstDownload","resourceId":"more-0","userId":99}\n');
  const resumed = await run([file, "--json"]);
  assert.equal(JSON.parse(resumed.stdout).records, 1201);
});

test("no service, a wrong key, a key of lesser scope and a missing file are told apart", async () => {
  const file = write(shops("no", 1));
  const { key } = await api("POST", "/api-keys", { name: "few", scopes: ["resources:write"] });
  const away = await run([file], { url: "http://127.0.0.1:9" });
  assert.deepEqual([away.code, /cannot be reached/.test(away.stderr)], [3, true]);
  const wrong = await run([file, "--key", `mh_${"x".repeat(46)}`]);
  assert.deepEqual([wrong.code, /\[unauthenticated\]/.test(wrong.stderr)], [4, true]);
  const lesser = await run([file, "--key", String(key)]);
  assert.deepEqual([lesser.code, /\[scope_missing\]/.test(lesser.stderr)], [4, true]);
  const missing = await run([`${file}.not`]);
  assert.deepEqual([missing.code, /There is no file/.test(missing.stderr)], [2, true]);
});

async function api(method: string, path: string, body?: unknown) {
  return await call(service.address, service.apiKey, method, path, body);
}

/** Oldest first. */
async function webhooks(ownerId: string) {
  const { items } = await api("GET", `/webhooks?ownerId=${ownerId}&limit=200`);
  return (items as { id: string; url: string }[]).toReversed();
}

async function count(list: "resources" | "webhooks", ownerId: string): Promise<number> {
  let found = 0;
  let cursor: unknown = null;
  do {
    const next = typeof cursor === "string" ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const page = await api("GET", `/${list}?ownerId=${ownerId}&limit=200${next}`);
    found += (page["items"] as unknown[]).length;
    cursor = page["nextCursor"];
  } while (cursor !== null);
  return found;
}

function write(lines: readonly string[]): string {
  files += 1;
  const path = join(folder, `import-${files}.jsonl`);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

interface Run {
  url?: string;
  input?: string;
}

/** In a process of its own, which can be stopped. */
function start(options: readonly string[]): RunningCommand {
  const env = { MARKETHOOK_API_KEY: service.apiKey };
  return startCommand(["import", "--api", gate.url, ...options], { env });
}

async function run(
  options: readonly string[],
  { url = gate.url, input = "" }: Run = {},
): Promise<Ended> {
  const env = { MARKETHOOK_API_KEY: service.apiKey };
  return await runCommand(["import", "--api", url, ...options], { env, input });
}

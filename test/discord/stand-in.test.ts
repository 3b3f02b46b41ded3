import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Channel } from "./channels.ts";
import { Ban, Bucket } from "./rate-limits.ts";
import { type DiscordStandIn, type StandInOptions, startDiscord } from "./stand-in.ts";

const AGENT = "DiscordBot (https://hooks.example, 1.0.0)";

interface Asked {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

interface Sent {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

async function start(t: TestContext, options?: StandInOptions) {
  const standIn = await startDiscord(options);
  t.after(() => standIn.close());
  const channel = standIn.addChannel();
  return { standIn, channel, ask: asker(standIn, channel) };
}

/** Asks below a channel's address: `?wait=true`, `/messages/1`. */
function asker(standIn: DiscordStandIn, channel: Channel) {
  return (rest: string, sent: Sent = {}) =>
    request(`${standIn.origin}/api/v10/webhooks/${channel.id}/${channel.token}${rest}`, sent);
}

async function request(url: string, sent: Sent = {}): Promise<Asked> {
  const { method = "POST", body = { content: "hello" }, headers = {} } = sent;
  const response = await fetch(url, {
    method,
    headers: { "Content-Type": "application/json", "User-Agent": AGENT, ...headers },
    ...(method === "GET" ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  // Errors and messages are objects.
  const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, text, json };
}

test("a message is posted, shown, changed and found by its id", async (t) => {
  const { standIn, channel, ask } = await start(t);
  const seen = standIn.waitFor(() => channel.messages.length === 1);
  const posted = await ask("?wait=true", { body: { embeds: [{ title: "<b>Sale</b>" }] } });
  await seen;
  assert.equal(posted.status, 200);
  assert.equal(posted.json["id"], channel.messages[0]?.id);
  const edited = await ask(`/messages/${String(posted.json["id"])}`, {
    method: "PATCH",
    body: { embeds: [{ title: "Refunded" }] },
  });
  assert.equal(edited.status, 200);
  assert.deepEqual(
    [channel.messages[0]?.edits, channel.messages[0]?.embeds[0]?.title],
    [1, "Refunded"],
  );
  assert.equal((await ask("")).status, 204);
  assert.equal((await ask("", { method: "GET" })).json["id"], channel.id);
  const page = await (await fetch(`${standIn.origin}/channels`)).text();
  assert.match(page, /<h3>Refunded<\/h3>.*\(edited\)/);
  assert.deepEqual([...standIn.violations], []);
});

test("what is gone, foreign or forbidden is told by Discord's own codes", async (t) => {
  const { standIn, channel, ask } = await start(t);
  const codeOf = async (rest: string, sent?: Sent): Promise<string> => {
    const { status, json } = await ask(rest, sent);
    return `${status} ${String(json["code"])}`;
  };
  assert.equal(await codeOf("/messages/1300000000000000000", { method: "PATCH" }), "404 10008");
  assert.equal(await codeOf("?thread_id=1300000000000000000"), "404 10003");
  const other = `${standIn.origin}/api/v10/webhooks/${channel.id}/${"x".repeat(68)}`;
  assert.equal((await request(other)).json["code"], 50027);
  channel.state = "forbidden";
  assert.equal(await codeOf(""), "403 50001");
  channel.state = "deleted";
  assert.equal(await codeOf(""), "404 10015");
  assert.equal((await request(`${standIn.origin}/api/v10/channels/1`)).status, 404);
  assert.equal((await request(other.replace("v10", "v3"))).json["code"], 50041);
  assert.equal(standIn.invalid.total, 6);
});

test("threads have messages of their own", async (t) => {
  const { standIn, channel, ask } = await start(t);
  const thread = standIn.addThread(channel);
  const { json } = await ask(`?wait=true&thread_id=${thread}`);
  assert.equal(channel.messages[0]?.threadId, thread);
  const message = `/messages/${String(json["id"])}`;
  assert.equal((await ask(message, { method: "PATCH" })).status, 404);
  assert.equal((await ask(`${message}?thread_id=${thread}`, { method: "PATCH" })).status, 200);
});

test("a body that breaks a rule is refused, and the member is named", async (t) => {
  const { standIn, channel, ask } = await start(t, { bucket: { limit: 100, perMs: 60_000 } });
  const embed = (members: object) => ({ embeds: [members] });
  const many = (count: number, one: object) => Array.from({ length: count }, () => one);
  const long = { title: "t", description: "d".repeat(4096) };
  const broken: [unknown, string][] = [
    [{ content: "x".repeat(2001) }, "content"],
    [embed({ title: "x".repeat(257) }), "embeds.0.title"],
    [embed({ description: "x".repeat(4097) }), "embeds.0.description"],
    [embed({ title: "x", url: "javascript:1" }), "embeds.0.url"],
    [embed({ title: "x", url: "http://localhost/" }), "embeds.0.url"],
    [embed({ title: "x", color: 0x1000000 }), "embeds.0.color"],
    [embed({ title: "x", timestamp: "yesterday" }), "embeds.0.timestamp"],
    [embed({ title: "x", footer: { text: "x".repeat(2049) } }), "embeds.0.footer.text"],
    [embed({ title: "x", author: { name: "x".repeat(257) } }), "embeds.0.author.name"],
    [embed({ fields: [{ name: "x", value: " " }] }), "embeds.0.fields.0.value"],
    [embed({ fields: [{ name: "x", value: "x".repeat(1025) }] }), "embeds.0.fields.0.value"],
    [embed({ fields: [{ name: "x".repeat(257), value: "x" }] }), "embeds.0.fields.0.name"],
    [embed({ fields: many(26, { name: "x", value: "x" }) }), "embeds.0.fields"],
    [{ embeds: [long, long] }, "embeds"],
    [{ embeds: many(11, { title: "x" }) }, "embeds"],
    [{ content: "x", allowed_mentions: { parse: ["all"] } }, "allowed_mentions.parse"],
    [
      { content: "x", allowed_mentions: { parse: ["roles"], roles: ["12345678901234567"] } },
      "allowed_mentions",
    ],
    [{ content: "x", username: "Discord" }, "username"],
  ];
  for (const [body, path] of broken) {
    const { status, json } = await ask("", { body });
    assert.deepEqual([status, json["code"]], [400, 50035], path);
    let at: unknown = json["errors"];
    for (const name of path.split(".")) at = (at as Record<string, unknown>)[name];
    assert.ok(Array.isArray((at as Record<string, unknown>)["_errors"]), path);
  }
  for (const body of [{}, { content: " " }, { embeds: [] }, embed({}), "[]"]) {
    assert.equal((await ask("", { body })).status, 400, JSON.stringify(body));
  }
  assert.equal((await ask("", { body: "{" })).json["code"], 50109);
  assert.equal((await ask("", { headers: { "Content-Type": "text/plain" } })).status, 400);
  assert.equal((await ask("?wait=maybe")).status, 400);
  assert.equal(channel.messages.length, 0);
  assert.ok(standIn.violations.size > broken.length);
});

test("only a client that says who it is comes in", async (t) => {
  const { standIn, ask } = await start(t);
  for (const agent of [
    "curl/8",
    "DiscordBot",
    "DiscordBot (hooks.example, 1)",
    "DiscordBot (https://a.example)",
  ]) {
    const { status, json } = await ask("", { headers: { "User-Agent": agent } });
    assert.deepEqual([status, json["code"]], [403, 40333], agent);
  }
  assert.equal(standIn.violations.get("user agent"), 4);
});

test("a webhook's bucket runs out and says so before; other webhooks have their own", async (t) => {
  const { standIn, channel, ask } = await start(t, { bucket: { limit: 2, perMs: 60_000 } });
  const first = await ask("");
  assert.equal(first.headers.get("x-ratelimit-limit"), "2");
  assert.equal(first.headers.get("x-ratelimit-remaining"), "1");
  assert.equal((await ask("")).headers.get("x-ratelimit-remaining"), "0");
  const other = asker(standIn, standIn.addChannel("other"));
  assert.equal((await other("")).status, 204);
  const limited = await ask("");
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get("x-ratelimit-scope"), "user");
  assert.equal(limited.json["global"], false);
  const seconds = Number(limited.json["retry_after"]);
  assert.ok(seconds > 0 && seconds <= 60);
  assert.equal(limited.headers.get("retry-after"), String(Math.ceil(seconds)));
  assert.equal(channel.messages.length, 2);
});

test("a bucket opens exactly when it said", () => {
  const bucket = new Bucket({ limit: 2, perMs: 2_000 });
  assert.deepEqual([bucket.take(100), bucket.take(200), bucket.take(2_099.5)], [true, true, false]);
  assert.deepEqual(bucket.state(2_099.5), { limit: 2, remaining: 0, resetAfterSeconds: 0.001 });
  assert.equal(bucket.take(2_100), true);
  assert.deepEqual(bucket.state(2_100), { limit: 2, remaining: 1, resetAfterSeconds: 2 });
});

test("a ban counts what lies within its window, and ends", () => {
  const ban = new Ban({ after: 3, windowMs: 100, forMs: 50, status: 429 });
  for (const at of [0, 60, 120, 170]) ban.note(at);
  assert.deepEqual([ban.active(171), ban.most], [false, 2]);
  ban.note(180);
  assert.deepEqual([ban.active(181), ban.active(231), ban.happened], [true, false, true]);
});

test("all webhooks together have a limit as well", async (t) => {
  const { standIn, ask } = await start(t, { global: { limit: 1, perMs: 60_000 } });
  assert.equal((await ask("")).status, 204);
  const limited = await asker(standIn, standIn.addChannel("other"))("");
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get("x-ratelimit-global"), "true");
  assert.equal(limited.json["global"], true);
});

test("too many invalid requests shut the sender out, in HTML", async (t) => {
  const ban = { after: 3, windowMs: 60_000, forMs: 60_000, status: 403 } as const;
  const { standIn, channel, ask } = await start(t, { ban });
  channel.state = "deleted";
  for (const _ of [1, 2, 3]) assert.equal((await ask("")).json["code"], 10015);
  assert.equal(standIn.banned, true);
  channel.state = "usable";
  const shutOut = await ask("");
  assert.equal(shutOut.status, 403);
  assert.match(shutOut.text, /<!doctype html>/);
  assert.deepEqual(Object.fromEntries(standIn.answers), { "404 10015": 3, "shut out": 1 });
  assert.equal(standIn.violations.get("sent while shut out"), 1);
});

test("pings and links are seen as Discord would make them", async (t) => {
  const { channel, ask } = await start(t);
  await ask("", { body: { content: "@everyone <@&12345678901234567> [a](https://evil.example)" } });
  await ask("", {
    body: {
      content: "@everyone <@&12345678901234567>",
      embeds: [{ description: "@here" }],
      allowed_mentions: { parse: [], roles: ["12345678901234567"] },
    },
  });
  const [loose, careful] = channel.messages;
  assert.deepEqual(loose?.pings, ["everyone", "role 12345678901234567"]);
  assert.deepEqual(loose?.maskedLinks, ["https://evil.example"]);
  assert.deepEqual(careful?.pings, ["role 12345678901234567"]);
  assert.deepEqual(careful?.mentions, ["everyone", "role 12345678901234567", "here"]);
});

test("answers can be told beforehand", async (t) => {
  const { standIn, ask } = await start(t);
  standIn.answerNext({ status: 502, body: "<html>" }, { status: 500 });
  assert.deepEqual(
    [(await ask("")).status, (await ask("")).status, (await ask("")).status],
    [502, 500, 204],
  );
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { chatFormat } from "@markethook/chat";
import { DISCORD_ID, DISCORD_TOKEN, DISCORD_URL, SHOWN_DISCORD_URL } from "../testing/chat-urls.ts";
import type { AttemptDetail, ChatAttempt } from "@markethook/store";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { purchase, TestSender } from "../testing/test-sender.ts";

const THREAD = "223344556677889900";
const ROLE = "334455667788990011";
const NONE = { messages: {}, refunds: "post", threadId: null };
const DEFAULT_EVENTS = [...chatFormat("discord").defaultEvents];
/** A webhook keeps which events it has, not in which order they were given. */
const STORED_EVENTS = DEFAULT_EVENTS.toSorted();

let api: TestApp;
let answers: string[];
beforeEach(async () => {
  api = await createTestApp();
  answers = [];
  for (const id of ["a", "b"]) {
    await api.store.resources.put([{ id, ownerId: "o-1", title: "T", subtitle: "" }]);
  }
});

/** Keeps what was answered: no answer may have the secret part of the address. */
async function send(method: "GET" | "POST" | "PATCH", url: string, payload?: object) {
  const answer = await api.send({ method, url, ...(payload === undefined ? {} : { payload }) });
  answers.push(JSON.stringify(answer.headers) + answer.body);
  return answer;
}

const create = async (payload: object = {}) =>
  await send("POST", "/v1/resources/a/webhooks", { url: DISCORD_URL, ...payload });
const change = async (id: string, payload: object) =>
  (await send("PATCH", `/v1/webhooks/${id}`, payload)).json();

function assertNoSecret(): void {
  const said = [...answers, JSON.stringify(api.world.lines)].join("\n");
  assert.ok(!said.includes(DISCORD_TOKEN.slice(0, 20)), said);
}

test("a chat's webhook is made from its URL alone: default events, no secret, and the URL never again", async () => {
  const made = await create();
  assert.equal(made.statusCode, 201);
  const { remarks, secret, ...webhook } = made.json();
  assert.deepEqual([webhook.format, webhook.url, secret], ["discord", SHOWN_DISCORD_URL, null]);
  assert.deepEqual([webhook.chat, webhook.chatFault, remarks], [NONE, null, []]);
  assert.deepEqual(webhook.events, STORED_EVENTS);
  assert.equal(await api.store.webhooks.revealUrl(webhook.id, null), DISCORD_URL);
  assert.deepEqual((await send("GET", `/v1/webhooks/${webhook.id}`)).json(), webhook);
  assert.deepEqual((await send("GET", "/v1/webhooks")).json().items, [webhook]);
  assert.equal((await create({ events: null })).json().events, null);
  assert.deepEqual((await create({ events: ["product.update"] })).json().events, [
    "product.update",
  ]);
  assertNoSecret();
});

test("the thread of the URL is taken, unless the options name one", async () => {
  const url = `https://ptb.discord.com/api/v10/webhooks/${DISCORD_ID}/${DISCORD_TOKEN}?thread_id=${THREAD}`;
  const made = (await create({ url })).json();
  assert.equal(made.chat.threadId, THREAD);
  assert.equal(await api.store.webhooks.revealUrl(made.id, null), DISCORD_URL);
  const own = (await create({ url, chat: { threadId: null, refunds: "edit" } })).json();
  assert.deepEqual(own.chat, { ...NONE, refunds: "edit" });
  assertNoSecret();
});

test("an address of the chat that is no webhook is refused with what to do", async () => {
  const faulty = [
    `https://discord.com/channels/${DISCORD_ID}/2`,
    "https://discord.gg/x",
    `https://discord.com/api/webhooks/${DISCORD_ID}`,
    `https://discord.com/api/webhooks/1/${DISCORD_TOKEN}`,
    `${DISCORD_URL}?thread_id=x`,
  ];
  const { id } = (await create()).json();
  for (const url of faulty) {
    const refused = [(await create({ url })).json(), await change(id, { url })];
    for (const problem of refused) {
      assert.deepEqual(
        [problem.status, problem.code, problem.pointer],
        [422, "url_invalid", "/url"],
      );
      assert.match(problem.detail, /Discord/);
    }
    const checked = (await send("POST", "/v1/webhooks/check-url", { url })).json();
    assert.deepEqual([checked.ok, checked.format], [false, "discord"]);
    assert.equal(checked.faults[0].code, "url_invalid");
  }
  // The address guard judges the host as it does any other.
  api.world.target = { ok: false, code: "target_blocked", sentence: "Not allowed." };
  assert.equal((await create()).json().code, "target_blocked");
  assertNoSecret();
});

test("an option that the chat's platform does not have is an unknown field of the body", async (t) => {
  const { id } = (await create()).json();
  const rules = chatFormat("discord").optionRules;
  t.mock.property(rules, "threads", null);
  t.mock.property(rules, "colours", false);
  for (const [chat, pointer] of [
    [{ threadId: THREAD }, "/chat/threadId"],
    [{ messages: { ping: { colour: 1 } } }, "/chat/messages/ping/colour"],
  ] as const) {
    for (const problem of [(await create({ chat })).json(), await change(id, { chat })]) {
      const { status, code, pointer: at } = problem;
      assert.deepEqual([status, code, at], [422, "field_unknown", pointer]);
      assert.match(problem.detail, /^Discord has no (threads|colours)\./);
    }
  }
});

test("an address of a chat that no messages are made for is refused by every way in", async () => {
  const { id } = (await create({ url: "https://bot.example/" })).json();
  for (const [format, url] of [
    ["teams", "https://x.webhook.office.com/webhookb2/secret"],
  ] as const) {
    for (const problem of [(await create({ url })).json(), await change(id, { url })]) {
      const { status, code, pointer } = problem;
      assert.deepEqual([status, code, pointer], [422, "chat_unsupported", "/url"]);
      assert.match(problem.detail, /Microsoft Teams/);
    }
    const checked = (await send("POST", "/v1/webhooks/check-url", { url })).json();
    assert.deepEqual(
      [checked.ok, checked.format, checked.faults[0].code],
      [false, format, "chat_unsupported"],
    );
    const record = { kind: "webhook", resourceId: "a", secret: "s", url };
    const imported = (await send("POST", "/v1/import", { records: [record] })).json();
    assert.equal(imported.results[0].code, "chat_unsupported");
    // Saved before this was refused.
    await api.store.webhooks.change(id, null, { url });
    const copied = (await send("POST", `/v1/webhooks/${id}/copy`, { resourceIds: ["a"] })).json();
    assert.equal(copied.code, "chat_unsupported");
  }
});

test("a URL that is checked tells which chat it is, what is shown of it, and its events", async () => {
  const checked = (await send("POST", "/v1/webhooks/check-url", { url: DISCORD_URL })).json();
  assert.deepEqual(checked, {
    ok: true,
    format: "discord",
    label: "Discord",
    shownUrl: SHOWN_DISCORD_URL,
    defaultEvents: DEFAULT_EVENTS,
    faults: [],
    remarks: [],
  });
  await create();
  const again = { url: `${DISCORD_URL}/slack`, resourceId: "a" };
  assert.equal((await send("POST", "/v1/webhooks/check-url", again)).json().remarks.length, 1);
  assertNoSecret();
});

test("messages are chosen as a whole, and a change of anything else leaves them", async () => {
  const messages = {
    "product.user.purchase": { title: "{buyer} bought {resource}", colour: 0, fields: false },
    ping: { text: "**Hello**", mentionRoleId: ROLE },
  };
  const made = (await create({ chat: { messages } })).json();
  assert.deepEqual(made.chat, { ...NONE, messages });
  assert.deepEqual((await change(made.id, { description: "Mine" })).chat, made.chat);
  const replaced = await change(made.id, { chat: { refunds: "edit", threadId: THREAD } });
  assert.deepEqual(replaced.chat, { messages: {}, refunds: "edit", threadId: THREAD });
  // The address as it is shown, sent back with the rest, is no new one.
  const same = await change(made.id, { url: SHOWN_DISCORD_URL, events: null });
  assert.deepEqual([same.events, same.chat.threadId], [null, THREAD]);
  assert.equal(await api.store.webhooks.revealUrl(made.id, null), DISCORD_URL);
});

test("another channel keeps the messages and not the thread; another format begins again", async () => {
  const chat = { messages: { ping: { title: "Hi" } }, threadId: THREAD };
  const { id } = (await create({ chat })).json();
  const renewed = await change(id, { url: DISCORD_URL.replace("_end", "_new") });
  assert.deepEqual([renewed.chat.messages, renewed.chat.threadId], [chat.messages, THREAD]);
  const other = `https://discord.com/api/webhooks/998877665544332211/${DISCORD_TOKEN}`;
  const moved = await change(id, { url: other });
  assert.deepEqual([moved.chat.messages, moved.chat.threadId], [chat.messages, null]);
  const json = await change(id, { url: "https://receiver.example/" });
  assert.deepEqual([json.format, json.url, json.chat], ["json", "https://receiver.example/", null]);
  const back = await change(id, { url: DISCORD_URL });
  assert.deepEqual([back.format, back.chat], ["discord", NONE]);
  assertNoSecret();
});

test("a change of the address keeps what others change of the chat while its URL is looked up", async () => {
  let meanwhile = async (): Promise<void> => {};
  api = await createTestApp({
    checkTarget: async () => {
      await meanwhile();
      return { ok: true, resolved: true };
    },
  });
  await api.store.resources.put([{ id: "a", ownerId: "o-1", title: "T", subtitle: "" }]);
  const { id } = (await create()).json();
  const messages = { ping: { title: "Hi" } };
  const url = DISCORD_URL.replace(DISCORD_ID, "998877665544332211");
  meanwhile = async () => {
    meanwhile = async () => {};
    await change(id, { chat: { messages } });
  };
  assert.deepEqual((await change(id, { url })).chat.messages, messages);

  // Another one makes it the owner's own server: the chat that it becomes again has the options of a new one.
  meanwhile = async () => {
    meanwhile = async () => {};
    await change(id, { url: "https://receiver.example/hook" });
  };
  const changed = await change(id, { url: DISCORD_URL });
  assert.deepEqual([changed.format, changed.chat], ["discord", NONE]);
});

test("options that cannot be used are refused, each at its place", async () => {
  const of = (event: string, message: object) => ({ messages: { [event]: message } });
  const purchase = (message: object) => of("product.user.purchase", message);
  const at = "/chat/messages/product.user.purchase";
  const faults: [unknown, string, string][] = [
    [null, "field_invalid", "/chat"],
    [[], "field_invalid", "/chat"],
    ["{}", "field_invalid", "/chat"],
    [{ message: {} }, "field_unknown", "/chat/message"],
    [{ refunds: "delete" }, "field_invalid", "/chat/refunds"],
    [{ threadId: 5 }, "field_invalid", "/chat/threadId"],
    [{ threadId: "../../x" }, "field_invalid", "/chat/threadId"],
    [of("product.sold", {}), "field_unknown", "/chat/messages/product.sold"],
    [purchase({ title: "" }), "field_invalid", `${at}/title`],
    [purchase({ title: "x".repeat(257) }), "field_invalid", `${at}/title`],
    [purchase({ title: "{nothing}" }), "field_invalid", `${at}/title`],
    [purchase({ title: "{resource" }), "field_invalid", `${at}/title`],
    [purchase({ title: "{constructor}" }), "field_invalid", `${at}/title`],
    [purchase({ title: "{version}" }), "field_invalid", `${at}/title`],
    [purchase({ title: "\u{200b}\u{202e}" }), "field_invalid", `${at}/title`],
    [purchase({ text: "x".repeat(2001) }), "field_invalid", `${at}/text`],
    [purchase({ text: "\u{7}" }), "field_invalid", `${at}/text`],
    [purchase({ text: 1 }), "field_invalid", `${at}/text`],
    [purchase({ colour: 0x1000000 }), "field_invalid", `${at}/colour`],
    [purchase({ colour: 0.5 }), "field_invalid", `${at}/colour`],
    [purchase({ fields: "no" }), "field_invalid", `${at}/fields`],
    [purchase({ mentionRoleId: "everyone" }), "field_invalid", `${at}/mentionRoleId`],
    [purchase({ content: "@everyone" }), "field_unknown", `${at}/content`],
    [purchase({ avatar_url: "https://x.example/" }), "field_unknown", `${at}/avatar_url`],
  ];
  const { id } = (await create()).json();
  for (const [chat, code, pointer] of faults) {
    const refused = [(await create({ chat })).json(), await change(id, { chat })];
    for (const problem of refused) {
      assert.deepEqual(
        [problem.status, problem.code, problem.pointer],
        [422, code, pointer],
        JSON.stringify(chat),
      );
    }
  }
  assert.deepEqual((await api.store.webhooks.get(id, null)).chat, JSON.stringify(NONE));
});

test("only a chat has messages", async () => {
  const json = { url: "https://receiver.example/", chat: {} };
  const refused = (await create(json)).json();
  assert.deepEqual([refused.code, refused.pointer], ["field_invalid", "/chat"]);
  const { id } = (await create({ url: json.url })).json();
  assert.equal((await change(id, { chat: {} })).pointer, "/chat");
});

test("nothing is signed for a chat, so there is no secret to see, change or verify with", async () => {
  const { id } = (await create()).json();
  const refused = [
    await send("GET", `/v1/webhooks/${id}/secret`),
    await send("POST", `/v1/webhooks/${id}/secret/rotate`),
    await send("POST", "/v1/verify", { headers: {}, body: "{}", webhookId: id }),
  ];
  for (const answer of refused) {
    assert.deepEqual([answer.statusCode, answer.json().code], [409, "webhook_is_chat"]);
  }
});

test("a copy leads to the same channel with the same messages, and nobody sees the address", async () => {
  const source = (await create({ chat: { messages: { ping: { title: "Hi" } } } })).json();
  const copied = await send("POST", `/v1/webhooks/${source.id}/copy`, { resourceIds: ["b"] });
  const [result] = copied.json().results;
  assert.deepEqual([result.status, result.secret], ["created", undefined]);
  const copy = (await send("GET", `/v1/webhooks/${result.webhookId}`)).json();
  assert.deepEqual([copy.resourceId, copy.url, copy.chat], ["b", SHOWN_DISCORD_URL, source.chat]);
  assert.equal(await api.store.webhooks.revealUrl(copy.id, null), DISCORD_URL);
  assertNoSecret();
});

test("imported chats are recognised, and faulty ones rejected one by one", async () => {
  const record = { kind: "webhook", resourceId: "a", secret: "s" };
  const imported = await send("POST", "/v1/import", {
    records: [
      { ...record, url: `${DISCORD_URL}/github`, chat: { refunds: "edit" } },
      { ...record, url: DISCORD_URL.slice(0, -70) },
      { ...record, url: DISCORD_URL, chat: { messages: { ping: { title: "{x}" } } } },
      { ...record, url: "https://receiver.example/", chat: {} },
    ],
  });
  const [good, ...bad] = imported.json().results;
  assert.equal(good.status, "created");
  assert.deepEqual(
    bad.map(({ code, pointer }: { code: string; pointer: string }) => [code, pointer]),
    [
      ["url_invalid", "/records/1/url"],
      ["field_invalid", "/records/2/chat/messages/ping/title"],
      ["field_invalid", "/records/3/chat"],
    ],
  );
  const [stored, ...more] = await api.store.webhooks.list({ ownerId: null, limit: 10 });
  assert.ok(stored !== undefined && more.length === 0);
  assert.deepEqual(
    [stored.url, stored.format, stored.events],
    [SHOWN_DISCORD_URL, "discord", STORED_EVENTS],
  );
  assert.equal(await api.store.webhooks.revealUrl(stored.id, null), DISCORD_URL);
  assert.deepEqual(JSON.parse(stored.chat ?? ""), { ...NONE, refunds: "edit" });
  assertNoSecret();
});

test("an attempt shows the request that a chat got, and what became of the owner's words", async () => {
  const detail: AttemptDetail & { chat: ChatAttempt } = {
    at: 1,
    profile: 0,
    url: SHOWN_DISCORD_URL,
    nonce: "",
    timestamp: 1,
    signature: "",
    chat: {
      method: "PATCH",
      headers: [["Content-Type", "application/json"]],
      body: '{"embeds":[]}',
      warnings: ["The title was cut."],
      fault: "There is no placeholder {x} here.",
    },
  };
  await create();
  const sender = new TestSender(api.store);
  const delivery = await sender.lease(purchase("a", 7));
  await sender.deliver(delivery, { outcome: "ok", status: 200, detail });
  const [attempt] = (await send("GET", `/v1/deliveries/${delivery.id}`)).json().attemptList;
  assert.deepEqual(attempt.request, {
    method: "PATCH",
    url: SHOWN_DISCORD_URL,
    headers: [["Content-Type", "application/json"]],
    body: '{"embeds":[]}',
  });
  assert.deepEqual([attempt.warnings, attempt.fault], [detail.chat.warnings, detail.chat.fault]);
});

test("an address pasted into the wrong place is neither answered nor logged", async () => {
  const { id } = (await create()).json();
  await create({ url: { text: DISCORD_URL } });
  await create({ url: `${DISCORD_URL}${"x".repeat(2048)}` });
  await create({ url: `${DISCORD_URL}\u0000` });
  await create({ events: [DISCORD_URL] });
  await create({ secret: `${DISCORD_URL}é` });
  await create({ chat: { threadId: DISCORD_URL } });
  await send("POST", `/v1/webhooks/${id}/copy`, { resourceIds: [DISCORD_URL] });
  await send("POST", "/v1/events", { events: [{ resourceId: DISCORD_URL }] });
  await send("GET", `/v1/webhooks?ownerId=${encodeURIComponent(`\u0000${DISCORD_URL}`)}`);
  const broken = await api.send({
    method: "POST",
    url: "/v1/resources/a/webhooks",
    headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json" },
    payload: `{"url": "${DISCORD_URL}`,
  });
  answers.push(broken.body);
  assert.equal(broken.json().code, "json_invalid");
  assertNoSecret();
});

for (const damage of ["{", "{}", "[]", "5", '"messages"', '{"messages":5}', "null"]) {
  test(`a webhook whose chat's options are damaged (${damage}) is listed with default ones, and new ones can be saved`, async () => {
    const { id } = (await create()).json();
    await create();
    api.store.tamper(`update webhooks set chat_options = '${damage}' where id = '${id}'`);
    const answer = await send("GET", "/v1/webhooks?ownerId=o-1");
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(
      answer.json().items.map(({ chat }: { chat: unknown }) => chat),
      [NONE, NONE],
    );
    const expected = { chat: NONE };
    const { chat } = await change(id, { chat: { ...NONE, threadId: THREAD }, expected });
    assert.equal(chat.threadId, THREAD);
  });
}

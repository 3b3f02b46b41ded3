import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";

import { signBody, signRequest } from "@markethook/protocol";

import { CAUSE_CODES } from "./diagnose.ts";
import { samplePayload, signTestRequest, type TestRequest } from "./testing.ts";
import { type NodeVerifyOptions, verify } from "./verify-sync.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
const OTHER = "Zx81hTqWmN4bVcR7yLpKsJ2gFdA9eUo3iXkB6nMvQtYw5HzC";
const NOW = 1_770_000_000;
const HEADER = "X-Service-Signature";

/** A request of the richest event with both signatures. */
function request(): TestRequest {
  return signTestRequest({ event: "product.update", secret: SECRET, now: () => NOW * 1000 });
}

type Headers = Record<string, string>;

function causes(
  body: Uint8Array,
  headers: Headers,
  secrets: string | string[] = SECRET,
  options: NodeVerifyOptions = {},
): string[] {
  const result = verify(body, headers, secrets, { now: () => NOW * 1000, ...options });
  assert.ok(!result.ok, "should have been refused");
  for (const { sentence } of result.causes) {
    for (const secret of [SECRET, OTHER]) assert.equal(sentence.includes(secret), false);
  }
  seen.push(...result.causes.map(({ code }) => code));
  return result.causes.map(({ code }) => code);
}

const seen: string[] = [];

function plainOnly(headers: Headers): Headers {
  return { [HEADER]: headers[HEADER] ?? "" };
}

function standardOnly(headers: Headers): Headers {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  return Object.fromEntries(names.map((name) => [name, headers[name] ?? ""]));
}

const sent = request();
const text = Buffer.from(sent.body).toString("utf8");
const parsed: unknown = JSON.parse(text);

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** As another language's JSON library prints: blanks after separators, everything but ASCII escaped. */
const foreignJson = JSON.stringify(parsed, null, 1)
  .replace(/\n */g, " ")
  .replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

const windows1252 = new TextDecoder("windows-1252").decode(sent.body);
const utf16 = Buffer.from(text, "utf16le");

const latin1 = (given: string): Buffer => Buffer.from(given, "latin1");

const BODIES: [string, Uint8Array, string][] = [
  [
    "re-serialized with indentation",
    Buffer.from(JSON.stringify(parsed, null, 2)),
    "body_reprinted",
  ],
  ["re-serialized by another language", Buffer.from(foreignJson), "body_reprinted"],
  ["printed with sorted members", Buffer.from(JSON.stringify(sorted(parsed))), "members_reordered"],
  ["with a line break added", Buffer.from(`${text}\n`), "newline_added"],
  ["with a line break of two characters added", Buffer.from(`${text}\r\n`), "newline_added"],
  ["with a byte order mark added", Buffer.from(`\uFEFF${text}`), "bom_added"],
  ["decoded as Latin-1", Buffer.from(Buffer.from(text).toString("latin1")), "body_reencoded"],
  ["decoded as Windows-1252", Buffer.from(windows1252), "body_reencoded"],
  ["in UTF-16", utf16, "body_reencoded"],
  ["in base64", Buffer.from(Buffer.from(text).toString("base64")), "body_base64"],
  ["in UTF-16 with its mark", Buffer.from(`\uFEFF${text}`, "utf16le"), "body_reencoded"],
  ["in UTF-16, big end first", Buffer.from(utf16).swap16(), "body_reencoded"],
  ["as a JSON string", Buffer.from(JSON.stringify(text)), "body_double_encoded"],
  ["lost", new Uint8Array(), "body_empty"],
  ["turned to text as an object", Buffer.from("[object Object]"), "body_is_object_text"],
  [
    "with characters lost",
    Buffer.from(Buffer.from(text).toString("ascii") + "\uFFFD"),
    "body_lost_characters",
  ],
  // As in Windows-1252 of a text that it cannot hold: "\xEB" is an ë there, and no UTF-8.
  [
    "with what another character set lacks lost",
    latin1(`${text} Zo\xEB ?`),
    "body_lost_characters",
  ],
  ["compressed", Buffer.from([0x1f, 0x8b, 8, 0]), "body_compressed"],
];

for (const [how, body, code] of BODIES) {
  test(`a body ${how} is told as ${code}, for either style of signature`, () => {
    assert.deepEqual(causes(body, plainOnly(sent.headers)), [code]);
    assert.deepEqual(causes(body, standardOnly(sent.headers)), [code]);
  });
}

test("a body in Latin-1 is told as body_reencoded", () => {
  const payload = samplePayload("ping");
  payload.product.title = "Größe";
  const latin = signTestRequest({ event: "ping", payload, secret: SECRET });
  const body = Buffer.from(Buffer.from(latin.body).toString("utf8"), "latin1");
  assert.deepEqual(causes(body, plainOnly(latin.headers)), ["body_reencoded"]);
});

test("what was removed from the body is found as well", () => {
  const signed = (signedText: string) => ({ [HEADER]: signBody(SECRET, signedText) });
  assert.deepEqual(causes(sent.body, signed(`${text}\n`)), ["newline_removed"]);
  assert.deepEqual(causes(sent.body, signed(`${text}\r\n`)), ["newline_removed"]);
  assert.deepEqual(causes(sent.body, signed(`\uFEFF${text}`)), ["bom_removed"]);
  for (const indent of [2, 4, "\t"]) {
    const indented = JSON.stringify(parsed, null, indent);
    assert.deepEqual(causes(sent.body, signed(indented)), ["body_indented"]);
  }
  const spaced = signed('{"list": [1, 2], "text": "a,b"}');
  assert.deepEqual(causes(Buffer.from('{"list":[1,2],"text":"a,b"}'), spaced), ["body_indented"]);
});

const SECRETS: [string, string, string][] = [
  ["with a line break behind", `${SECRET}\n`, "secret_blanks"],
  ["with blanks around", `  ${SECRET}\t`, "secret_blanks"],
  ["in quotation marks", `"${SECRET}"`, "secret_quoted"],
  ["with whsec_ in front", `whsec_${SECRET}`, "secret_prefix_added"],
  ["in base64", Buffer.from(SECRET).toString("base64"), "secret_encoded"],
];

for (const [how, secret, code] of SECRETS) {
  test(`a secret ${how} is told as ${code}`, () => {
    assert.deepEqual(causes(sent.body, plainOnly(sent.headers), secret), [code]);
    assert.deepEqual(causes(sent.body, plainOnly(sent.headers), ["first", secret]), [code]);
  });
}

test("a secret wrapped in base64 is told for webhook-signature too", () => {
  const wrapped = Buffer.from(SECRET).toString("base64");
  assert.deepEqual(causes(sent.body, standardOnly(sent.headers), wrapped), ["secret_encoded"]);
});

test("a secret that lost its whsec_ is told, and the other style's key is told apart", () => {
  const signed = { [HEADER]: signBody(`whsec_${SECRET}`, sent.body) };
  assert.deepEqual(causes(sent.body, signed), ["secret_prefix_removed"]);
  const key = Buffer.from(SECRET, "base64");
  const decoded = { [HEADER]: createHmac("sha256", key).update(sent.body).digest("hex") };
  assert.deepEqual(causes(sent.body, decoded), ["secret_decoded"]);
  const content = `${sent.headers["webhook-id"]}.${NOW}.${text}`;
  const mac = createHmac("sha256", SECRET).update(content).digest("base64");
  const asText = { ...standardOnly(sent.headers), "webhook-signature": `v1,${mac}` };
  assert.deepEqual(causes(sent.body, asText), ["secret_not_decoded"]);
});

test("a signature in another dress is told", () => {
  const hex = signBody(SECRET, sent.body);
  const dressed = (value: string) => causes(sent.body, { [HEADER]: value });
  assert.deepEqual(dressed(hex.toUpperCase()), ["signature_upper_case"]);
  assert.deepEqual(dressed(`sha256=${hex}`), ["signature_prefixed"]);
  assert.deepEqual(dressed(Buffer.from(hex, "hex").toString("base64")), ["signature_base64"]);
});

test("what is said of a signature in another dress is true of either header", () => {
  const standard = standardOnly(sent.headers);
  const value = standard["webhook-signature"] ?? "";
  const without = { ...standard, "webhook-signature": value.replace("v1,", "") };
  const result = verify(sent.body, without, SECRET, { now: () => NOW * 1000 });
  assert.ok(!result.ok);
  assert.equal(result.causes[0]?.code, "signature_base64");
  assert.match(result.causes[0].sentence, /webhook-signature holds `v1,` and base64/);
});

test("a signature in the other style's header is told", () => {
  const standard = standardOnly(sent.headers);
  const value = standard["webhook-signature"] ?? "";
  const inPlain = { ...standard, "webhook-signature": "v1a,AAAA", [HEADER]: value };
  assert.deepEqual(causes(sent.body, inPlain), ["wrong_header"]);
  const hex = signBody(SECRET, sent.body);
  assert.deepEqual(causes(sent.body, { ...standard, "webhook-signature": hex }), ["wrong_header"]);
});

test("a signature under another service's name is told, with the name", () => {
  const headers = { "X-Polymart-Signature": signBody(SECRET, sent.body) };
  const result = verify(sent.body, headers, SECRET);
  assert.ok(!result.ok);
  assert.equal(result.code, "signature_missing");
  assert.match(result.causes[0]?.sentence ?? "", /x-polymart-signature.*"polymart"/);
  assert.deepEqual(causes(sent.body, headers), ["other_service_name"]);
  assert.deepEqual(causes(sent.body, headers, OTHER), ["other_service_header"]);
});

test("a wrong clock is told with its distance, and milliseconds are told as such", () => {
  const later = { now: () => (NOW + 4000) * 1000 };
  const headers = standardOnly(sent.headers);
  assert.deepEqual(causes(sent.body, headers, SECRET, later), ["clock"]);
  const result = verify(sent.body, headers, SECRET, later);
  assert.match(result.ok ? "" : (result.causes[0]?.sentence ?? ""), /4000 seconds ago/);
  const ms = NOW * 1000;
  const value =
    signRequest({ current: SECRET }, headers["webhook-id"] ?? "", ms, sent.body).standard ?? "";
  const inMs = { ...headers, "webhook-timestamp": String(ms), "webhook-signature": value };
  assert.deepEqual(causes(sent.body, inMs), ["timestamp_in_milliseconds"]);
});

test("where X-Service-Signature fits, what is wrong with the other style is said", () => {
  assert.deepEqual(causes(sent.body, plainOnly(sent.headers)), ["standard_headers_missing"]);
  const other = { ...sent.headers, "webhook-id": "evt_2" };
  assert.deepEqual(causes(sent.body, other), ["standard_headers_changed"]);
  const result = verify(sent.body, other, SECRET, { now: () => NOW * 1000 });
  assert.match(
    result.ok ? "" : result.sentence,
    /It is webhook-signature; X-Service-Signature fits/,
  );
});

test("where one signature fits, the secret is not doubted, though not every fault was looked for", () => {
  const large = signTestRequest({
    envelope: { event: "test", time: NOW, nonce: "n", payload: { text: "a".repeat(64 * 1024) } },
    secret: SECRET,
    now: () => NOW * 1000,
  });
  const other = { ...large.headers, "webhook-id": "evt_2" };
  assert.deepEqual(causes(large.body, other), ["standard_headers_changed"]);
});

test("a prefix that only X-Service-Signature minds is told", () => {
  assert.deepEqual(causes(sent.body, sent.headers, `whsec_${SECRET}`), ["secret_prefix_added"]);
});

test("where nothing fits, what is likely is said", () => {
  const plain = plainOnly(sent.headers);
  assert.deepEqual(causes(sent.body, plain, OTHER), ["other_secret"]);
  assert.deepEqual(causes(sent.body, plain, "undefined"), ["secret_placeholder"]);
  assert.deepEqual(causes(sent.body, plain, "${WEBHOOK_SECRET}"), ["secret_placeholder"]);
  assert.deepEqual(causes(sent.body, standardOnly(sent.headers), "not base64!"), [
    "secret_not_base64",
  ]);
});

test("nothing is looked for when explain is off, and not what was done to a large body", () => {
  const plain = plainOnly(sent.headers);
  assert.deepEqual(causes(sent.body, plain, `${SECRET} `, { explain: false }), []);
  const large = Buffer.from(`${" ".repeat(64 * 1024)}\n`);
  const signed = { [HEADER]: signBody(SECRET, large.subarray(0, -1)) };
  assert.deepEqual(causes(large, signed), ["search_incomplete"]);
});

test("every cause in the catalogue has been seen above", () => {
  assert.deepEqual([...new Set(seen)].sort(), [...CAUSE_CODES].sort());
});

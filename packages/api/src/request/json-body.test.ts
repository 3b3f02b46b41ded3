import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { before, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
before(async () => {
  api = await createTestApp();
});

async function put(payload: string | Buffer, headers: Record<string, string> = {}) {
  const answer = await api.send({
    method: "PUT",
    url: "/v1/resources/map-1",
    payload,
    headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json", ...headers },
  });
  return { status: answer.statusCode, code: answer.json().code, body: answer.json() };
}

const GOOD = '{"title":"T","ownerId":"o"}';

test("JSON in UTF-8 is read, whatever the header's letters", async () => {
  for (const type of [
    "application/json",
    "Application/JSON; charset=UTF-8",
    'application/json;charset="utf-8"',
  ]) {
    assert.equal((await put(GOOD, { "content-type": type })).code, undefined, type);
  }
});

test("what is not JSON is told apart from what is not UTF-8, and is not repeated", async () => {
  for (const text of ["{", "{'a':1}", '{"a":NaN}', `${GOOD}x`, "\u{feff}" + GOOD, '{"a":"\n"}']) {
    const { status, code, body } = await put(text);
    assert.deepEqual([status, code], [400, "json_invalid"], text);
    assert.ok(!body.detail.includes("NaN"));
  }
  const latin = await put(Buffer.from('{"title":"\xe9","ownerId":"o"}', "latin1"));
  assert.deepEqual([latin.status, latin.code], [400, "json_invalid"]);
  assert.match(latin.body.detail, /not UTF-8/);
});

test("an empty body is missing, and null is a body of the wrong type", async () => {
  assert.equal((await put("")).code, "body_missing");
  assert.equal((await put("null")).code, "field_invalid");
  const none = await api.send({ method: "PUT", url: "/v1/resources/map-1" });
  assert.equal(none.json().code, "body_missing");
});

test("another type, another charset and compression are refused", async () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonx",
    "nonsense",
    "application/json; charset=latin1",
  ]) {
    const { status, code } = await put(GOOD, { "content-type": type });
    assert.deepEqual([status, code], [415, "content_type_unsupported"], type);
  }
  const zipped = await put(gzipSync(GOOD), { "content-encoding": "gzip" });
  assert.deepEqual([zipped.status, zipped.code], [415, "encoding_unsupported"]);
  assert.equal((await put(GOOD, { "content-encoding": "identity" })).code, undefined);
});

test("a body above the limit is refused unread", async () => {
  const { status, code } = await put(JSON.stringify({ title: "x".repeat(400_000), ownerId: "o" }));
  assert.deepEqual([status, code], [413, "body_too_large"]);
});

test("texts that databases choke on are refused with their place", async () => {
  const nul = await put(String.raw`{"title":"a\u0000","ownerId":"o"}`);
  assert.deepEqual([nul.status, nul.code, nul.body.pointer], [422, "text_invalid", "/title"]);
  const half = await put(String.raw`{"title":"\ud83d","ownerId":"o"}`);
  assert.deepEqual([half.status, half.code], [422, "text_invalid"]);
  assert.equal((await put(String.raw`{"title":"\ud83d\ude00","ownerId":"o"}`)).status, 200);
});

test("a fault has its position, and what was sent is not repeated", async () => {
  const cases: [body: string | Buffer, place: RegExp][] = [
    ['{"title":NaN}', /position 9\./],
    ['{"title":"a\u0001"}', /position 11\./],
    [`${GOOD} x`, /position 28\./],
    ["\u{feff}" + GOOD, /begins with a byte order mark/],
    ['{"title":01}', /position 9\./],
    ['{"title":"é', /position 11\./],
    [Buffer.from('{"title":"a\xff"}', "latin1"), /byte 11\./],
    [Buffer.concat([Buffer.from('{"title":"é'), Buffer.from([0xc3])]), /byte 12\./],
  ];
  for (const [body, place] of cases) {
    const answer = await put(body);
    assert.deepEqual([answer.status, answer.code], [400, "json_invalid"], String(body));
    assert.match(answer.body.detail, place, String(body));
  }
});

test("names of prototypes are refused, however they are spelt and wherever they stand", async () => {
  for (const [body, pointer] of [
    ['{"title":"T","ownerId":"o","__proto__":{"a":1}}', "/__proto__"],
    [String.raw`{"title":"T","ownerId":"o","__\u0070roto__":{"a":1}}`, "/__proto__"],
    ['{"title":"T","ownerId":"o","fileVersion":{"constructor":1}}', "/fileVersion/constructor"],
    ['{"title":[{"prototype":1}]}', "/title/0/prototype"],
  ] as const) {
    const answer = await put(body);
    assert.deepEqual(
      [answer.status, answer.code, answer.body.pointer],
      [400, "json_forbidden_key", pointer],
    );
  }
  assert.equal(Object.hasOwn(Object.prototype, "a"), false);
  assert.equal((await put('{"title":"constructor","ownerId":"__proto__"}')).status, 200);
});

test("a key that comes twice is refused with its place, because readers disagree on which counts", async () => {
  for (const body of [
    '{"title":"T","ownerId":"o","title":"U"}',
    String.raw`{"title":"T","ownerId":"o","t\u0069tle":"U"}`,
  ]) {
    const answer = await put(body);
    assert.deepEqual([answer.code, answer.body.pointer], ["json_duplicate_key", "/title"], body);
  }
  const batch = await api.send({
    method: "POST",
    url: "/v1/events",
    payload: '{"events":[{"event":"a"},{"user":{"id":1,"id":2}}]}',
    headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json" },
  });
  assert.deepEqual(
    [batch.statusCode, batch.json().code, batch.json().pointer],
    [400, "json_duplicate_key", "/events/1/user/id"],
  );
});

test("JSON beyond what any body needs is refused by the limit that it breaks", async () => {
  const many = Array.from({ length: 10_001 }, (_, i) => `"k${i}":1`).join();
  for (const [body, limit] of [
    [`{"title":${"[".repeat(64)}${"]".repeat(64)},"ownerId":"o"}`, /deeper than 64/],
    [`{${many}}`, /more than 10000 keys/],
    [`{"${"k".repeat(257)}":1}`, /longer than 256 bytes/],
    [`{"${"é".repeat(129)}":1}`, /longer than 256 bytes/],
    [`{"title":${"1".repeat(65)}}`, /more than 64 digits/],
    [`{"title":-0.${"1".repeat(62)}e9}`, /more than 64 digits/],
    ["[".repeat(300_000), /deeper than 64/],
  ] as const) {
    const answer = await put(body);
    assert.deepEqual([answer.status, answer.code], [400, "json_too_complex"], body.slice(0, 80));
    assert.match(answer.body.detail, limit);
  }
  assert.equal((await put(`{"title":${"1".repeat(64)},"ownerId":"o"}`)).code, "field_invalid");
});

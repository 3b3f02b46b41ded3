import assert from "node:assert/strict";
import { test } from "node:test";
import { readJsonLine } from "./json-line.ts";

function read(text: string | Buffer) {
  return readJsonLine({ number: 1, bytes: Buffer.from(text), end: 0 });
}

function faultOf(text: string | Buffer) {
  const found = read(text);
  assert.ok(found !== null && "code" in found, String(text));
  return found;
}

test("a line is a JSON value, with a byte order mark before it or not", () => {
  for (const text of ['{"a":1}', '\ufeff{"a":1}\r\n', ' {"a":1}\n']) {
    assert.deepEqual(read(text), { value: { a: 1 } });
  }
  assert.deepEqual(read('{"a":"\u2028"}'), { value: { a: "\u2028" } });
  for (const text of ["", "\r\n", "\ufeff\n", "  "]) assert.equal(read(text), null);
});

test("members that have one name are told with their place, and so are names that no object has", () => {
  const twice = faultOf('{"a":{"b":1,"\\u0062":2}}');
  assert.deepEqual([twice.code, twice.pointer], ["json_duplicate_key", "/a/b"]);
  assert.match(twice.detail, /^The second one stands at position 12\. /);
  assert.equal(faultOf('{"__proto__":1}').code, "json_forbidden_key");
});

test("what would cost its batch is refused alone", () => {
  const members = Array.from({ length: 70 }, (_, i) => `"m${i}":1`);
  for (const text of [`{${members.join()}}`, "[".repeat(63) + "]".repeat(63), "1".repeat(65)]) {
    assert.equal(faultOf(text).code, "json_too_complex");
  }
  assert.ok(read(`{${members.slice(0, 62).join()}}`) !== null);
});

test("what is no JSON is told with its place", () => {
  assert.match(faultOf('{"a":').detail, /^The JSON is malformed at position 5\. /);
  assert.match(faultOf('{"a":1}{"a":1}').detail, /at position 7\. /);
  assert.equal(faultOf(Buffer.from([0x22, 0xe9, 0x22])).title, "The line is not UTF-8.");
  assert.equal(readJsonLine({ number: 1, bytes: null, end: 0 })?.valueOf() !== null, true);
});

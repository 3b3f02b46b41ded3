import assert from "node:assert/strict";
import { test } from "node:test";
import { readableJson, readHeaders, replyWords } from "./exchange-text.ts";

test("of a reply the first words are shown, and nothing of a page for browsers", () => {
  const of = (body: string | null) => replyWords({ response: { status: 500, headers: [], body } });
  assert.equal(of(" database\n  is locked "), "database is locked");
  assert.equal(of("x".repeat(200)), `${"x".repeat(120)}…`);
  for (const body of [null, "", " \n", "<!doctype html><title>502</title>"]) {
    assert.equal(of(body), null);
  }
  assert.equal(replyWords({ response: null }), null);
});

test("headers are read from a raw request, from JSON and from a log, and nothing else is", () => {
  assert.deepEqual(readHeaders("POST /hooks HTTP/1.1\r\nX-Market-Signature: ab12\r\n\r\n"), {
    "X-Market-Signature": "ab12",
  });
  assert.deepEqual(readHeaders('{\n  "x-market-signature": "ab12",\n  "webhook-id": "evt_1"\n}'), {
    "x-market-signature": "ab12",
    "webhook-id": "evt_1",
  });
  assert.deepEqual(readHeaders("Host: localhost:3000"), { Host: "localhost:3000" });
  assert.deepEqual(readHeaders("no header here"), {});
});

test("a readable body has every number as it was written, and the same members in the same order", () => {
  const body = `{"id":9007199254740993,"10":1.0,"2":1e400,"a":[],"b":{ },"c":[{"u":"\\u00e4, [x]: \\/"},-0,null],"c":true}`;
  assert.equal(
    readableJson(body),
    [
      "{",
      '  "id": 9007199254740993,',
      '  "10": 1.0,',
      '  "2": 1e400,',
      '  "a": [],',
      '  "b": {},',
      '  "c": [',
      "    {",
      '      "u": "ä, [x]: /"',
      "    },",
      "    -0,",
      "    null",
      "  ],",
      '  "c": true',
      "}",
    ].join("\n"),
  );
  const plain = { a: [1, [2, { b: "c \n" }]], d: {}, e: [{}, []], f: '"' };
  for (const text of [JSON.stringify(plain), ` ${JSON.stringify(plain, null, 4)}\n`]) {
    assert.equal(readableJson(text), JSON.stringify(plain, null, 2));
  }
  for (const text of ["", "7", '"x"', "null", "[1,]", "<p>"])
    assert.equal(readableJson(text), null);
  // Indented it would be thousands of times as long.
  assert.equal(readableJson("[".repeat(6000) + "]".repeat(6000)), null);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readHeaders } from "./read-headers.ts";

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

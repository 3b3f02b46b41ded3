/** A forger chooses body and headers, and is answered before anything is verified: the answer must stay cheap. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { headerNames, signBody } from "@markethook/protocol";

import { bodyVariants } from "./body-variants.ts";
import { diagnose } from "./diagnose.ts";
import { readHeaders } from "./headers.ts";
import { SearchBudget } from "./search-budget.ts";
import { verify } from "./verify-sync.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
const HEADERS = {
  "webhook-id": "evt_1",
  "webhook-timestamp": "1770000000",
  "webhook-signature": `v1,${"A".repeat(43)}=`,
  "X-Service-Signature": "a".repeat(64),
};
const MIB = 1024 * 1024;

/** JSON of that many bytes, nested so deep, with as many elements as fit. */
function nested(depth: number, size: number): string {
  const elements = "1,".repeat((size - 2 * depth) / 2 - 1);
  return `${"[".repeat(depth)}${elements}1${"]".repeat(depth)}`;
}

const HOSTILE: [string, string][] = [
  ["100 KiB of line breaks that do not end it", `${"\n".repeat(100_000)}x`],
  ["JSON nested 2,000 deep", nested(2000, 60_000)],
  ["JSON nested 20 deep", nested(20, 60_000)],
  ["JSON nested deeper than any stack", "[".repeat(30_000) + "]".repeat(30_000)],
  ["1 MiB of flat JSON", nested(1, MIB)],
];

for (const [what, body] of HOSTILE) {
  test(`${what} is refused, and the refusal says that not every fault was looked for`, () => {
    const result = verify(Buffer.from(body), HEADERS, SECRET);
    const codes = result.ok ? [] : result.causes.map(({ code }) => code);
    assert.deepEqual(codes, ["search_incomplete"]);
  });
}

/** Bytes that the search asks to be hashed, when nothing fits. */
function hashedBytes(body: string, secrets: string[]): number {
  const suspect = {
    body: new TextEncoder().encode(body),
    headers: readHeaders(HEADERS),
    names: headerNames("Service"),
    secrets,
  };
  const search = diagnose(suspect);
  let bytes = 0;
  for (let step = search.next(); step.done !== true; step = search.next("")) {
    bytes += step.value.head.length + step.value.body.length;
  }
  return bytes;
}

test("however large the body and however many the secrets, the search hashes 4 MiB at most", () => {
  const secrets = Array.from({ length: 100 }, (_, index) => ` "whsec_${SECRET}${1000 + index}" `);
  for (const size of [1000, 60_000, 65_536, 500_000, MIB, 8 * MIB]) {
    for (const depth of [1, 16]) {
      assert.ok(hashedBytes(nested(depth, size), [SECRET]) <= 4 * MIB, `${size}, one secret`);
      assert.ok(hashedBytes(nested(depth, size), secrets) <= 4 * MIB, `${size}, many secrets`);
    }
  }
});

test("blanks inside a header, and line breaks inside a body, are each looked at once", () => {
  const inside = `a${" ".repeat(4 * MIB)}b`;
  assert.equal(readHeaders({ "x-a": `\t ${inside}\t ` }).one("x-a"), inside);
  assert.equal(readHeaders({ "x-a": " ".repeat(4 * MIB) }).one("x-a"), "");

  const text = Buffer.from(`${"\n".repeat(4 * MIB)}x`);
  const [first] = bodyVariants(Buffer.concat([text, Buffer.from("\r\n")]), new SearchBudget());
  assert.equal(first?.code, "newline_added");
  assert.ok(text.equals(first.bytes));
});

test("a larger body's faults of secret and header are told all the same", () => {
  const body = Buffer.from(nested(1, 200_000));
  const headers = { "X-Service-Signature": signBody(SECRET, body) };
  const result = verify(body, headers, ` ${SECRET}\n`, { require: "service" });
  assert.deepEqual(result.ok ? [] : result.causes.map(({ code }) => code), ["secret_blanks"]);
});

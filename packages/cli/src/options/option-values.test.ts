import assert from "node:assert/strict";
import { test } from "node:test";
import {
  duration,
  headers,
  httpUrl,
  moment,
  serviceName,
  share,
  userId,
  whole,
} from "./option-values.ts";

test("values of options are read", () => {
  assert.equal(whole(0, 10)("10"), 10);
  assert.equal(userId("9007199254740991"), Number.MAX_SAFE_INTEGER);
  assert.equal(share("30%"), 0.3);
  assert.equal(share(".5"), 0.5);
  assert.equal(duration("2s"), 2000);
  assert.equal(moment("1700000000"), 1_700_000_000_000);
  assert.equal(moment("2026-01-31T12:00:00+01:00"), Date.UTC(2026, 0, 31, 11));
  assert.equal(serviceName("Market-1"), "Market-1");
  assert.equal(httpUrl("http://[::1]:4000/a?b"), "http://[::1]:4000/a?b");
  assert.deepEqual(headers("X-A:  b: c ", [["k", "v"]]), [
    ["k", "v"],
    ["X-A", "b: c"],
  ]);
});

test("values that are not allowed are refused with a sentence", () => {
  const refused: [(text: string) => unknown, string[]][] = [
    [whole(1, 10), ["", "0", "11", "1.5", "-1", "1e1", " 1", "0x1"]],
    [userId, ["", "0", "00", "-1", "1.5", "9007199254740992", "x"]],
    [share, ["", "1.1", "101%", "half", "-0.1", "."]],
    [duration, ["", "2", "2 weeks", "-1s", "1.5s"]],
    [moment, ["", "yesterday", "2026-01-31", "2026-13-01T00:00:00Z", "-5"]],
    [serviceName, ["", "two words", "a--b", "Ä"]],
    [httpUrl, ["", "localhost:4000", "ftp://a/", "http://user:pass@a/"]],
    [headers, ["", "X-A", ": b", "X A: b", "X-Ä: b"]],
  ];
  for (const [read, texts] of refused) {
    for (const text of texts)
      assert.throws(() => read(text), { code: "commander.invalidArgument" }, text);
  }
});

test("user 0 is refused with what it stands for", () => {
  assert.throws(() => userId("0"), { message: /begin at 1.*erased user/ });
});

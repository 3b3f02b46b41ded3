import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { logObserver } from "./log-observer.ts";

function setUp(level: string) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line));
  return { lines, observer: logObserver(pino({ level }, { write })) };
}

const BATCH = { items: 3, accepted: 3, leased: 3, unleased: 0 };

test("a commit that took long is told to operators, one that did not only who asks for details", () => {
  const usual = setUp("info");
  usual.observer.accepted({ ...BATCH, ms: 999 });
  usual.observer.accepted({ ...BATCH, ms: 2500 });
  assert.deepEqual(
    usual.lines.map(({ level, ms, items }) => ({ level, ms, items })),
    [{ level: 40, ms: 2500, items: 3 }],
  );
  const detailed = setUp("debug");
  detailed.observer.accepted({ ...BATCH, ms: 5 });
  assert.equal(detailed.lines[0]?.["msg"], "accepted");
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deliveryId, eventId } from "@markethook/protocol";
import pino from "pino";
import { logObserver } from "./log-observer.ts";

function setUp(level: string) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line));
  const logger = pino({ level }, { write });
  return { lines, observer: logObserver(logger, () => {}) };
}

const BATCH = { items: 3, accepted: 3, leased: 3, notPreLeased: 0 };

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

const ATTEMPT = {
  webhookId: "wh_00000000000000000001",
  webhookNo: 7,
  deliverySeq: 130,
  eventSeq: 129,
  tag: "abcdefghij",
  eventName: "product.user.purchase",
  number: 1,
  outcome: "http_error",
  status: 500,
  ms: 1,
  host: "r.example",
  next: "retry",
  detail: null,
} as const;

test("a failed attempt is told with the ids that the API knows, and not with the store's numbers", () => {
  const { lines, observer } = setUp("info");
  observer.attempt(ATTEMPT);
  observer.attempt({ ...ATTEMPT, next: "delivered" });
  assert.equal(lines.length, 1);
  const { deliveryId: delivery, eventId: event, ...rest } = lines[0] ?? {};
  assert.equal(delivery, deliveryId({ seq: 130, tag: "abcdefghij" }));
  assert.equal(event, eventId({ seq: 129, tag: "abcdefghij" }));
  for (const name of ["webhookNo", "deliverySeq", "eventSeq", "tag"]) assert.ok(!(name in rest));
});

test("the line of a failed attempt has the members that the documentation shows, in that order", () => {
  const page = readFileSync(
    new URL("../../../../docs/reference/health-and-metrics.md", import.meta.url),
    "utf8",
  );
  const shown = JSON.parse(/```json\n(\{[^`]*"attempt failed"[^`]*)```/.exec(page)?.[1] ?? "{}");
  const { lines, observer } = setUp("info");
  observer.attempt({ ...ATTEMPT, ms: 49.210612 });
  const ofLogger = new Set(["level", "time", "instance", "pid", "hostname"]);
  const members = (line: object) => Object.keys(line).filter((name) => !ofLogger.has(name));
  assert.deepEqual(members(lines[0] ?? {}), members(shown));
  assert.equal(lines[0]?.["ms"], 49.2);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { hostRows, instanceRows, suspectRows } from "./bar-rows.ts";

test("hosts with the most failures stand first, with all outcomes of each added up", () => {
  const attempts = [
    { host: "a.example", outcome: "ok", count: 900 },
    { host: "b.example", outcome: "timeout", count: 2 },
    { host: "b.example", outcome: "http_error", count: 3 },
    { host: "b.example", outcome: "ok", count: 1 },
  ];
  assert.deepEqual(hostRows({ attempts }), [
    { name: "b.example", good: 1, bad: 5, words: "5 failed of 6" },
    { name: "a.example", good: 900, bad: 0, words: "0 failed of 900" },
  ]);
});

test("quarantined suspects are named so", () => {
  const suspects = [
    { level: 1, count: 40 },
    { level: 11, count: 1 },
  ];
  assert.deepEqual(
    suspectRows({ suspects }).map(({ name, bad }) => [name, bad]),
    [
      ["Level 1", 40],
      ["Quarantined", 1],
    ],
  );
});

function heartbeats(leaseMs: number): [good: number, bad: number][] {
  const now = Date.UTC(2026, 0, 2, 3, 4, 10);
  const at = (seconds: number): string => new Date(now - seconds * 1000).toISOString();
  const instances = [1, 6].map((seconds) => ({
    name: `one-${seconds}`,
    version: "1",
    startedAt: at(60),
    renewedAt: at(seconds),
    networkSuspected: false,
  }));
  const rows = instanceRows({ instances, leaseMs, readAt: at(0) });
  return rows.map(({ good, bad }) => [good, bad]);
}

test("an instance whose heartbeat is older than half a lease is marked as bad, however long the lease is", () => {
  assert.deepEqual(heartbeats(8000), [
    [1, 0],
    [0, 6],
  ]);
  assert.deepEqual(heartbeats(30_000), [
    [1, 0],
    [6, 0],
  ]);
});

test("an instance that suspects its network is marked as bad, in words too", () => {
  const at = "2026-01-02T03:04:05.000Z";
  const one = { name: "one", version: "1", startedAt: at, renewedAt: at, networkSuspected: true };
  const [row] = instanceRows({
    instances: [one],
    leaseMs: 8000,
    readAt: "2026-01-02T03:04:06.000Z",
  });
  assert.deepEqual([row?.good, row?.bad], [0, 1]);
  assert.match(row?.words ?? "", /reaches almost no server/);
});

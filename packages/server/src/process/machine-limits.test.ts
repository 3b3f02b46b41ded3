import assert from "node:assert/strict";
import { test } from "node:test";
import { receiverConnections, senderThreads } from "./machine-limits.ts";

const GIB = 1024 ** 3;
const unset = { receiverConnections: null, clientConnections: 2000 };

test("without a setting, files and memory decide how many connections to receivers there may be", () => {
  const plenty = { openFiles: 1_000_000, memoryBytes: 64 * GIB };
  assert.equal(receiverConnections(unset, plenty), 10_000);
  assert.equal(receiverConnections(unset, { ...plenty, openFiles: 8096 }), 5000);
  assert.equal(receiverConnections(unset, { ...plenty, memoryBytes: 2 * GIB }), 2184);
});

test("there is always room for the requests that may be open at once", () => {
  assert.equal(receiverConnections(unset, { openFiles: 1024, memoryBytes: 64 * GIB }), 1000);
  assert.equal(receiverConnections(unset, { openFiles: null, memoryBytes: GIB / 4 }), 1000);
});

test("a setting is taken as it is", () => {
  const set = { ...unset, receiverConnections: 30_000 };
  assert.equal(receiverConnections(set, { openFiles: 1024, memoryBytes: GIB }), 30_000);
});

test("two cores are left to the main thread and the database; of more, all but two send, four at most", () => {
  const byCores = [1, 2, 3, 4, 6, 64].map((cores) => senderThreads({ senderThreads: null }, cores));
  assert.deepEqual(byCores, [0, 0, 1, 2, 4, 4]);
});

test("the setting wins", () => {
  assert.equal(senderThreads({ senderThreads: 0 }, 8), 0);
  assert.equal(senderThreads({ senderThreads: 7 }, 2), 7);
});

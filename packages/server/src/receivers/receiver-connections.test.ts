import assert from "node:assert/strict";
import { test } from "node:test";
import { receiverConnections } from "./receiver-connections.ts";

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

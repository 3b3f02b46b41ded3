import assert from "node:assert/strict";
import { test } from "node:test";
import { senderThreads } from "./sender-threads.ts";

test("two cores are left to the main thread and the database; of more, all but two send, four at most", () => {
  const byCores = [1, 2, 3, 4, 6, 64].map((cores) => senderThreads({ senderThreads: null }, cores));
  assert.deepEqual(byCores, [0, 0, 1, 2, 4, 4]);
});

test("the setting wins", () => {
  assert.equal(senderThreads({ senderThreads: 0 }, 8), 0);
  assert.equal(senderThreads({ senderThreads: 7 }, 2), 7);
});

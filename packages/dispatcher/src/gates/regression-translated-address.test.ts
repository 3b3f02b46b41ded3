/**
 * A machine that is reached both by IPv4 and through NAT64 (64:ff9b::/96) got the open requests of two addresses. The rate
 * of an unproven address counted it as one already.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { queueBench } from "../wiring/testing/queue-bench.ts";

test("an address and the one that NAT64 makes of it share the open requests of one machine", (t) => {
  const { push, open } = queueBench(t, { addressConcurrency: 2 });
  const addresses = ["93.184.216.34", "64:ff9b::5db8:d822", "64:ff9b::5db8:d823"];
  for (let no = 1; no <= 3; no += 1) push(no, 1);
  for (const one of open.slice()) one.finish(true, addresses[one.no - 1]);
  for (let no = 1; no <= 3; no += 1) push(no, 3);
  assert.equal(open.filter(({ no }) => no <= 2).length, 2);
  assert.equal(open.filter(({ no }) => no === 3).length, 2, "another machine has its own");
});

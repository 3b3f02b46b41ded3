import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesFor } from "./choices.ts";
import { Ledger } from "./ledger.ts";
import { judgeIsolation, judgeRate, webhooksWithoutRoom } from "./liveness.ts";
import { planFor } from "./plan.ts";
import { Receivers } from "./receivers.ts";

const HEALTHY_AT = 60_000;

/** Ten events a second for one good webhook; each takes so long to arrive. */
function rateWhere(
  waitMs: (reportedAt: number) => number,
  quietAt = HEALTHY_AT + 40_000,
): string | null {
  const { shape } = planFor(1, "plain");
  shape.load = "near capacity";
  shape.receivers = [{ manner: "fast", host: "h.example", address: "203.0.113.1", resource: 0 }];
  const ledger = new Ledger();
  for (let reportedAt = 0; reportedAt < 100_000; reportedAt += 100) {
    ledger.report({
      tag: `${reportedAt}`,
      key: `${reportedAt}`,
      userId: 1,
      webhooks: [1],
      reportedAt,
      mayBeStored: true,
      acknowledged: { seq: reportedAt, tag: `${reportedAt}`, at: reportedAt },
      wasAccepted: true,
      deliveredAt: new Map([[1, reportedAt + waitMs(reportedAt)]]),
    });
  }
  const receivers = new Receivers(shape.receivers, choicesFor(1, "receivers"));
  return judgeRate(shape, ledger, receivers, { backAt: HEALTHY_AT, quietAt });
}

test("a rate that is back ten seconds after the last fault is right, and one that is not is a violation", () => {
  assert.equal(
    rateWhere(() => 20),
    null,
  );
  const stoodUntil = (end: number) => (at: number) => Math.max(20, end - at);
  assert.equal(rateWhere(stoodUntil(HEALTHY_AT + 9000)), null);
  assert.match(rateWhere(stoodUntil(HEALTHY_AT + 20_000)) ?? "", /^0 of 50 between/);
  assert.equal(rateWhere(stoodUntil(HEALTHY_AT + 20_000), HEALTHY_AT + 12_000), null);
});

test("webhooks of a host or an address that cannot take what is reported are known", () => {
  const { shape } = planFor(1, "plain");
  const on = (host: string, address: string, manner: "slow" | "usual") => ({
    manner,
    host,
    address,
    resource: 0,
  });
  Object.assign(shape, { rate: 5, instances: 1, hostConcurrency: 4, addressConcurrency: 6 });
  shape.receivers = [on("a", "1", "slow"), on("a", "1", "usual"), on("b", "2", "usual")];
  assert.deepEqual(webhooksWithoutRoom(shape), new Set([1, 2]));
  shape.instances = 2;
  assert.deepEqual(webhooksWithoutRoom(shape), new Set());
});

test("a good owner's webhook that waits longer next to bad neighbours is a violation", () => {
  assert.deepEqual(judgeIsolation(new Map([[1, 2000]]), new Map([[1, 80]])), []);
  assert.equal(judgeIsolation(new Map([[1, 5000]]), new Map([[1, 80]])).length, 1);
});

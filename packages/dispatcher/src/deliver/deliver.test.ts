import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { RenderedRequest } from "@markethook/protocol";
import type { QueuedDelivery, SendableWebhook } from "@markethook/store";
import { Deliver } from "./deliver.ts";
import { createLedgers } from "../queue/memory-ledger.ts";
import type { OpenRequest } from "../gates/gate.ts";
import { WebhookQueue } from "../queue/webhook-queue.ts";
import type { SendResult } from "../send/send-result.ts";
import { startSigned } from "../send/signed-exchange.ts";
import type { Outcome } from "./settler.ts";
import { turn } from "../wiring/testing/fake-clock.ts";
import { createMarks } from "./suspect-marks.ts";
import { createRecorder } from "../wiring/testing/recorder.ts";
import { sampleDelivery, sampleResult, sampleWebhook } from "../wiring/testing/samples.ts";

const INSTANCE_NO = 3;

function setUp() {
  const sent: { request: RenderedRequest; mayWrite: () => boolean; answer(r: SendResult): void }[] =
    [];
  const outcomes: Outcome[] = [];
  const finished: { ok: boolean | null; address: string | null }[] = [];
  const marks: number[][] = [];
  const holds: number[] = [];
  const fake = {
    mark: async (): Promise<boolean> => true,
    mayWrite: true,
    reach: (): (() => boolean) => () => true,
    order: [] as string[],
  };
  const seen = createRecorder();
  const deliver = new Deliver({
    cache: { begin: () => ({ readAt: 0, outdated: new Set() }), end: () => undefined },
    readDetails: () => Promise.resolve(null),
    heartbeat: { mayWrite: (instanceNo) => instanceNo === INSTANCE_NO && fake.mayWrite },
    sender: {
      startSigned: (unsigned, owner) =>
        startSigned(
          (request, exchange) => {
            fake.order.push("sent");
            sent.push({
              request,
              mayWrite: () => exchange.mayWrite(),
              answer: (result) => exchange.ended(result),
            });
          },
          unsigned,
          owner,
        ),
    },
    marks: createMarks({
      async markStarted(instanceNo, leases) {
        assert.equal(instanceNo, INSTANCE_NO);
        marks.push(leases.map(({ seq }) => seq));
        const ours = await fake.mark();
        fake.order.push("marked");
        return ours ? leases.map(({ seq }) => seq) : [];
      },
    }),
    profile: { serviceName: "Service", userAgent: "Markethook/test", no: 1 },
    rules: {
      schedule: [5000],
      throttledLimit: 3,
      random: () => 0.5,
      wallNow: () => 1_700_000_000_000,
    },
    reach: () => fake.reach(),
    prepareChat: async () => assert.fail("no chat's webhook here"),
    randomBytes,
    now: () => 1000,
    coolDown: (_no, until) => holds.push(until),
    settle: (outcome) => outcomes.push(outcome),
    noteResult: () => false,
    finish: (_request, ok, address) => finished.push({ ok, address }),
    observer: seen,
  });
  const go = (
    delivery: Partial<QueuedDelivery> = {},
    webhook: Partial<SendableWebhook> | null = {},
  ): void =>
    deliver.begin(
      { delivery: sampleDelivery(delivery), instanceNo: INSTANCE_NO },
      webhook === null ? null : sampleWebhook(webhook),
      request(),
    );
  return { go, sent, outcomes, finished, marks, holds, fake, seen };
}

function request(): OpenRequest {
  return {
    queue: new WebhookQueue(1, 1, 2, false, createLedgers(1_000_000)),
    startedAt: 0,
    host: "",
    suspicion: 0,
    slow: false,
    isSecondTry: false,
    webhook: null,
    webhookChanged: false,
    counters: null,
  };
}

test("an active webhook's delivery is sent, signed for the attempt, settled and told", async () => {
  const { go, sent, outcomes, finished, seen } = setUp();
  go({ attempts: 2, orderKey: 7 });
  const headers = new Map(sent[0]?.request.headers);
  assert.equal(headers.get("X-Service-Attempt"), "3");
  assert.equal(headers.get("X-Service-Hook-Id"), "wh_1");
  assert.match(headers.get("X-Service-Signature") ?? "", /^[0-9a-f]{64}$/);
  sent[0]?.answer(sampleResult());
  await turn();
  const [outcome] = outcomes;
  assert.equal(outcome?.instanceNo, INSTANCE_NO);
  assert.equal(outcome?.orderKey, 7);
  assert.equal(outcome?.settlement.attempt?.number, 3);
  assert.equal(outcome?.settlement.attempt?.outcome, "ok");
  assert.deepEqual(outcome?.settlement.next, { kind: "end", state: "delivered", reason: null });
  assert.deepEqual(finished, [{ ok: true, address: "192.0.2.1" }]);
  assert.equal(seen.of("attempt")[0]?.next, "delivered");
});

test("the right to write is asked for at the moment of writing, not when it is queued", () => {
  const { go, sent, fake } = setUp();
  go();
  assert.equal(sent[0]?.mayWrite(), true);
  fake.mayWrite = false;
  assert.equal(sent[0]?.mayWrite(), false);
});

test("what was not sent for a reason of ours is given back and teaches the queue nothing", async () => {
  const { go, sent, outcomes, finished } = setUp();
  go();
  sent[0]?.answer(
    sampleResult({ status: null, category: "lease_lost", sent: false, address: null }),
  );
  await turn();
  assert.equal(outcomes[0]?.settlement.attempt, null);
  assert.deepEqual(outcomes[0]?.settlement.next, { kind: "release" });
  assert.deepEqual(finished, [{ ok: null, address: null }]);
});

test("a fault before the request begins gives the delivery back, and frees its slot", () => {
  const { go, sent, outcomes, finished, seen, fake } = setUp();
  fake.reach = () => {
    throw new Error("no such host");
  };
  go();
  assert.equal(sent.length, 0);
  assert.equal(seen.of("fault").length, 1);
  assert.equal(outcomes[0]?.settlement.next.kind, "retry");
  assert.deepEqual(finished, [{ ok: null, address: null }]);
});

test("a delivery whose webhook is gone is cancelled", () => {
  const { go, sent, outcomes } = setUp();
  go({}, null);
  assert.equal(sent.length, 0);
  assert.deepEqual(outcomes[0]?.settlement.next, {
    kind: "end",
    state: "cancelled",
    reason: "webhook_deleted",
  });
});

test("the queue is told until when the receiver asked for no more", async () => {
  const { go, sent, holds } = setUp();
  go();
  sent[0]?.answer(sampleResult({ status: 503, headers: [["Retry-After", "60"]] }));
  await turn();
  assert.deepEqual(holds, [61_000]);
});

test("a suspect is sent only after its mark is durable", async () => {
  const { go, sent, marks, fake } = setUp();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  fake.mark = () => promise;
  go({ seq: 640, suspicion: 1 });
  await turn();
  assert.deepEqual(marks, [[640]]);
  assert.equal(sent.length, 0);
  resolve(true);
  await turn();
  assert.deepEqual(fake.order, ["marked", "sent"]);
});

test("suspects that begin together are marked by one write", async () => {
  const { go, sent, marks } = setUp();
  for (const seq of [1, 2, 3]) go({ seq, suspicion: 1 });
  go({ seq: 4 });
  await turn();
  assert.deepEqual(marks, [[1, 2, 3]]);
  assert.equal(sent.length, 4);
});

test("a suspect that is not ours any more, or cannot be marked, is not sent", async () => {
  const { go, sent, outcomes, fake, seen } = setUp();
  fake.mark = async () => false;
  go({ suspicion: 1 });
  await turn();
  fake.mark = () => Promise.reject(new Error("no database"));
  go({ suspicion: 3 });
  await turn();
  assert.equal(sent.length, 0);
  assert.deepEqual(
    outcomes.map(({ settlement }) => settlement.next.kind),
    ["release", "release"],
  );
  assert.deepEqual(seen.of("fault"), ["mark started"]);
});

test("a delivery from whose row no request can be made is given back for a minute", async () => {
  const { go, outcomes, finished, seen } = setUp();
  go({}, { url: "not a URL" });
  await turn();
  assert.deepEqual(outcomes[0]?.settlement.next, {
    kind: "retry",
    delayMs: 60_000,
    counts: false,
    throttled: false,
  });
  assert.equal(outcomes[0]?.settlement.attempt, null);
  assert.equal(finished.length, 1);
  assert.deepEqual(seen.of("fault"), ["deliver"]);
});

test("a fault of ours while an answer is judged gives the delivery back too", async () => {
  const { go, sent, outcomes, finished, seen } = setUp();
  go();
  // Nothing that a receiver can send makes a status that cannot be read: only a mistake here does.
  const result = sampleResult();
  Object.defineProperty(result, "status", {
    get() {
      throw new Error("a mistake");
    },
  });
  sent[0]?.answer(result);
  await turn();
  assert.equal(outcomes.length, 1);
  assert.equal(outcomes[0]?.settlement.next.kind, "retry");
  assert.equal(finished.length, 1);
  assert.deepEqual(seen.of("fault"), ["deliver"]);
});

test("a listener's fault does not settle the delivery twice", async () => {
  const { go, sent, outcomes, finished, seen } = setUp();
  seen.attempt = () => {
    throw new Error("a mistake");
  };
  go();
  sent[0]?.answer(sampleResult());
  await turn();
  assert.equal(outcomes.length, 1);
  assert.equal(finished.length, 1);
  assert.deepEqual(seen.of("fault"), ["report an attempt"]);
});

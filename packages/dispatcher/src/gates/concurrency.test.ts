import assert from "node:assert/strict";
import { test } from "node:test";
import { createLedgers } from "../queue/memory-ledger.ts";
import { WebhookQueue } from "../queue/webhook-queue.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";
import { Concurrency } from "./concurrency.ts";

const HOSTS = 20_001;

function requestOf(no: number, host: string) {
  const webhook = sampleWebhook({ no, url: `http://${host}/` });
  const queue = new WebhookQueue(no, no, 2, false, createLedgers(1_000_000));
  return {
    queue,
    startedAt: 0,
    host: webhook.host,
    suspicion: 0,
    slow: false,
    isSecondTry: false,
    webhook,
    webhookChanged: false,
    counters: null,
  };
}

test("of more hosts than are remembered those that answered well last have no share of new ones", () => {
  const concurrency = new Concurrency({
    concurrency: 10,
    hostConcurrency: 10,
    addressConcurrency: 10,
    now: () => 0,
    wake: () => undefined,
    goOn: () => undefined,
  });
  const hostOf = (no: number): string => `host-${no}.example:80`;
  for (let no = 1; no <= HOSTS; no += 1) concurrency.judged(hostOf(no), true);
  // It was forgotten, and answers well again; the second one is forgotten now.
  concurrency.judged(hostOf(1), true);
  for (const no of [1, 2, 3, 4]) {
    const hanging = requestOf(no, `hangs-${no}.example`);
    concurrency.enter(hanging.webhook, hanging, 0);
  }
  const waitsFor = (no: number): string | null => {
    const { webhook, queue } = requestOf(no, hostOf(no));
    return concurrency.wait(webhook, queue, 0)?.reason ?? null;
  };
  assert.deepEqual([1, 2, 3, HOSTS].map(waitsFor), [null, "new-share", null, null]);
});

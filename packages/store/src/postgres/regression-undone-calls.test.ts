import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import type { Harness } from "../conformance/harness.ts";
import { event } from "../conformance/reports.ts";
import { delivered, RULE, settled } from "../conformance/settlements.ts";
import { World } from "../conformance/world.ts";
import type { AttemptCount } from "../port/attempt-counts.ts";
import { endedByADeadlockOnce } from "../testing/deadlock-once.ts";
import { openPostgresHarness } from "./open-harness.ts";

interface Shop {
  id: string;
  ownerId: string;
  hook: { id: string; no: number };
  /** Of a delivery that has ended. */
  ended: string;
  instanceNo: number;
}

type Call = (w: World, shop: Shop) => Promise<unknown>;

const USER = 7;

/** The call, and the statement of it that a deadlock ends. */
const CALLS: Record<string, [statement: string, call: Call]> = {
  "a new owner": [
    "update on webhooks",
    async ({ store }, { id }) =>
      await store.resources.put([{ id, ownerId: "another", title: "T", subtitle: "" }]),
  ],
  "a resource's deletion": [
    "update on webhooks",
    async ({ store }, { id }) => await store.resources.delete(id),
  ],
  "a change of a webhook": [
    "update on webhooks",
    async ({ store }, { hook }) =>
      await store.webhooks.change(hook.id, null, { description: "changed" }),
  ],
  "a rotation": [
    "update on webhooks",
    async ({ store }, { hook }) =>
      await store.webhooks.rotate(hook.id, null, { mode: "switch_now", secret: "a".repeat(48) }),
  ],
  "an import": [
    "insert on first_downloads",
    async ({ store }, { id: resourceId }) =>
      await store.imports.run([{ kind: "firstDownload", resourceId, userId: 9 }], {
        dryRun: false,
      }),
  ],
  "a redelivery": [
    "insert on pending",
    async ({ store }, { ended }) => await store.log.redeliver(ended, null, true),
  ],
  "a step of a replay": [
    "insert on pending",
    async ({ store }, { hook }) => {
      const filter = { webhookId: hook.id, ownerId: null, from: 0, to: Date.now() * 2 };
      const { sent } = await store.log.replayStep({ ...filter, states: ["delivered"] }, 0, 10);
      assert.equal(sent, 1);
    },
  ],
  "a step of an erasure": [
    "update on events",
    async ({ store }) => {
      const actor = { kind: "system", id: null, name: "", requestId: null } as const;
      assert.ok((await store.actingAs(actor).erasure.step(USER, null)).events > 0);
    },
  ],
  "a portal session": [
    "insert on portal_sessions",
    async ({ store }, { ownerId }) =>
      await store.portalSessions.create({
        id: "ps_1",
        ownerId,
        resourceId: null,
        returnUrl: null,
        codeHash: "hash",
        codeLifetimeMs: 1000,
        lifetimeMs: 1000,
        longestMs: 1000,
        revealsSecrets: true,
      }),
  ],
  cancelling: [
    "delete on pending",
    async (w, { id, hook }) => {
      await w.accept([event(id, "purchase", 8)]);
      await w.store.webhooks.delete(hook.id, null);
      assert.equal(await w.store.deliveries.cancelMarked(10), 1);
    },
  ],
  "a claim": [
    "delete on pending",
    async (w, { id, instanceNo }) => {
      await w.accept([event(id, "purchase", 8)]);
      assert.equal((await w.claimAll(instanceNo)).length, 1);
    },
  ],
  "an outcome that changes a webhook's health": [
    "insert on webhook_health",
    async (w, { id, instanceNo }) => {
      const one = await w.acceptOne(id, instanceNo);
      const next = { kind: "retry", delayMs: 1, counts: true, throttled: false } as const;
      const failed = { kind: "failed", badRequest: false } as const;
      const settlements = [settled(one, next, {}, failed)];
      const outcome = await w.store.deliveries.settle(instanceNo, settlements, RULE);
      assert.deepEqual(outcome.failed, []);
    },
  ],
  "counts of attempts": [
    "insert on attempt_counts",
    async ({ store }, { hook }) => await store.attemptCounts.add([countOf(hook.no)]),
  ],
};

let harness: Harness;
before(async () => {
  harness = await openPostgresHarness();
});
after(async () => await harness.close());

for (const [what, [statement, call]] of Object.entries(CALLS)) {
  test(`${what}: what a deadlock ends is repeated at once`, async (t) => {
    const w = new World(harness);
    const instanceNo = await w.instanceNo();
    const id = `resource of ${what}`;
    const ownerId = `owner of ${what}`;
    await w.store.resources.put([{ id, ownerId, title: "T", subtitle: "" }]);
    const hook = await w.webhook(id);
    const one = await w.acceptOne(id, instanceNo, event(id, "purchase", USER));
    await w.settle(instanceNo, [delivered(one)]);
    await harness.tamper(endedByADeadlockOnce(statement));
    t.after(() => harness.tamper("drop function end_once cascade; drop sequence tries"));

    await call(w, { id, ownerId, hook, ended: deliveryId(one), instanceNo });
    assert.ok((await tries()) > 1, "it was ended once");
  });
}

/** How often the statement was tried. */
async function tries(): Promise<number> {
  const [row] = await harness.rows("tries" as "meta"); // A sequence is read like a table.
  return Number(row?.["last_value"]);
}

function countOf(webhookNo: number): AttemptCount {
  return {
    webhookNo,
    hour: 1,
    ok: 1,
    failed: 0,
    givenUp: 0,
    replies: [1],
    lastAt: 1,
    lastOutcome: "ok",
    lastStatus: 200,
    lastOkAt: 1,
    okEvents: 1,
  };
}

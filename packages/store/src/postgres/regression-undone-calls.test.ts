import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import type { Harness } from "../conformance/harness.ts";
import { beatOf } from "../conformance/leases.ts";
import { event } from "../conformance/reports.ts";
import { delivered, RULE, settled } from "../conformance/settlements.ts";
import { World } from "../conformance/world.ts";
import type { AttemptCount } from "../port/attempt-counts.ts";
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
  "an outcome": [
    "delete on leased",
    async (w, { id, instanceNo }) => {
      const one = await w.acceptOne(id, instanceNo);
      const { refused, failed } = await w.settle(instanceNo, [delivered(one)]);
      assert.deepEqual([refused, failed, await w.state(one.seq)], [[], [], "delivered"]);
    },
  ],
  "a rescue": [
    "delete on leased",
    async (w, { id }) => {
      const dead = await w.instanceNo("dead");
      await w.acceptOne(id, dead);
      assert.equal((await w.store.deliveries.rescue([await beatOf(w.store, dead)])).rescued, 1);
    },
  ],
  "counts of attempts": [
    "insert on attempt_counts",
    async ({ store }, { hook }) => await store.attemptCounts.add([countOf(hook.no)]),
  ],
  "a step of pruning": [
    "delete on events",
    async ({ store }) => {
      await harness.advance(3_600_000);
      assert.ok((await store.maintenance.prune(1000, 1000, 100)) > 0);
    },
  ],
};

/**
 * PostgreSQL chooses which of two transactions a deadlock ends: the first statement of this kind, such as `delete on
 * leased`, is ended like that. A sequence keeps its number when a transaction is undone.
 */
function endedByADeadlockOnce(statement: string): string {
  return `
  create sequence tries;
  create function end_once() returns trigger language plpgsql as $$
    begin
      if nextval('tries') = 1 then
        raise exception 'deadlock detected' using errcode = 'deadlock_detected';
      end if;
      return null;
    end
  $$;
  create trigger end_once before ${statement} for each statement execute function end_once()`;
}

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

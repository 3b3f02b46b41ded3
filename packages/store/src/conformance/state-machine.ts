import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DELIVERY_TRANSITIONS, type DeliveryState } from "../delivery-states.ts";
import { SYSTEM } from "../port/audit.ts";
import type { QueuedDelivery, Settlement } from "../port/deliveries.ts";
import type { ReplayFilter } from "../port/delivery-log.ts";
import type { Webhook } from "../port/webhooks.ts";
import { crash } from "./leases.ts";
import { newest } from "./lists.ts";
import { allOf, budget, event, fileVersion, update } from "./reports.ts";
import { claim, DEAD, delivered, FAILED, RELEASE, retried, settled } from "./settlements.ts";
import type { World } from "./world.ts";

const OPERATIONS = [
  "accept",
  "acceptUnleased",
  "claim",
  "deliver",
  "retry",
  "die",
  "release",
  "mark",
  "crash",
  "restart",
  "forget",
  "pause",
  "resumeSend",
  "resumeDrop",
  "disable",
  "failLong",
  "probe",
  "deleteWebhook",
  "changeOwner",
  "cancel",
  "redeliver",
  "replay",
  "sendNow",
  "sendWaiting",
  "stopWaiting",
  "pull",
  "ping",
  "later",
  "prune",
  "erase",
] as const;

type Operation = (typeof OPERATIONS)[number];

const ALLOWED = new Set(
  DELIVERY_TRANSITIONS.map(({ from, to, by }) => `${from ?? "new"} -> ${to ?? "gone"} by ${by}`),
);

export function testStateMachine(w: World): void {
  test("whatever happens in whatever order, each delivery stands in one place, only listed transitions happen, and order holds", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ what: fc.constantFrom(...OPERATIONS), pick: fc.nat(1000) }), {
          minLength: 15,
          maxLength: 45,
        }),
        async (steps) => {
          await w.quiet();
          const run = await Run.begin(w);
          let before = await states(w);
          for (const { what, pick } of steps) {
            for (const act of run.acts(what, pick)) {
              const promised = await act.run();
              const after = await states(w);
              check(before, after, act.by, seen);
              for (const seq of promised) assert.ok(after.has(seq), "what was answered is stored");
              before = after;
            }
          }
        },
      ),
      { numRuns: 15 },
    );
    assert.ok(seen.size >= 8, `few transitions were tried: ${[...seen].join("; ")}`);
  });
}

interface Placed {
  state: DeliveryState;
  order: string | null;
}

async function states(w: World): Promise<Map<number, Placed>> {
  const ended: readonly DeliveryState[] = ["delivered", "dead", "cancelled"];
  const all = new Map<number, Placed>();
  for (const [seq, { place, row }] of await w.places()) {
    const state =
      place === "ended" ? ended[Number(row["state"])] : place === "leased" ? "leased" : "waiting";
    assert.ok(state !== undefined);
    const order =
      row["order_key"] === null ? null : `${Number(row["webhook_no"])} ${Number(row["order_key"])}`;
    all.set(seq, { state, order });
  }
  return all;
}

function check(
  before: ReadonlyMap<number, Placed>,
  after: ReadonlyMap<number, Placed>,
  by: string,
  seen: Set<string>,
): void {
  for (const seq of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(seq)?.state ?? "new", after.get(seq)?.state ?? "gone"];
    if (from === to) continue;
    const transition = `${from} -> ${to} by ${by}`;
    assert.ok(ALLOWED.has(transition), `not in the table: ${transition}`);
    seen.add(transition);
  }
  const firstOpen = new Map<string, number>();
  for (const [seq, { state, order }] of [...after].sort(([a], [b]) => a - b)) {
    if (order === null || (state !== "waiting" && state !== "leased")) continue;
    const first = firstOpen.get(order) ?? seq;
    firstOpen.set(order, first);
    if (state === "leased") assert.equal(seq, first, "only the first of its order is leased");
  }
}

interface Act {
  /** As the table of transitions names it. */
  by: string;
  /** Answers numbers of deliveries that must be there now. */
  run(): Promise<number[]>;
}

class Run {
  readonly #w: World;
  readonly #shop: { id: string; hooks: Webhook[] };
  #instanceNo: number;
  #held: QueuedDelivery[] = [];

  private constructor(w: World, shop: { id: string; hooks: Webhook[] }, instanceNo: number) {
    this.#w = w;
    this.#shop = shop;
    this.#instanceNo = instanceNo;
  }

  static async begin(w: World): Promise<Run> {
    return new Run(w, await w.shop(2), await w.instanceNo());
  }

  acts(what: Operation, pick: number): Act[] {
    const { store } = this.#w;
    const hook = this.#shop.hooks[pick % 2]?.id ?? "";
    const act = (by: string, run: () => Promise<unknown>): Act[] => [
      {
        by,
        run: async () => {
          await run();
          return [];
        },
      },
    ];
    /** Refusals are part of the game: a deleted webhook cannot be paused. */
    const attempt = async (work: () => Promise<unknown>): Promise<void> => {
      await work().catch((error: unknown) => {
        if (!(error instanceof Error && "code" in error)) throw error;
      });
    };
    const settle = (next: (delivery: QueuedDelivery) => Settlement | Promise<Settlement>): Act[] =>
      act("deliveries.settle", async () => {
        const some = this.#held.splice(0, 1 + (pick % 3));
        await this.#w.settle(
          this.#instanceNo,
          await Promise.all(some.map(async (one) => await next(one))),
        );
      });
    switch (what) {
      case "accept":
      case "acceptUnleased":
        return [
          { by: "events.accept", run: async () => await this.#accept(what === "accept", pick) },
        ];
      case "claim":
        return act("deliveries.claim", async () => {
          const { deliveries } = await store.deliveries.claim({
            ...claim(this.#instanceNo),
            perWebhook: 3,
          });
          this.#held.push(...deliveries);
        });
      case "deliver":
        return settle(delivered);
      case "retry":
        return settle((delivery) => retried(delivery, pick * 10));
      case "die":
        return settle((delivery) => settled(delivery, DEAD));
      case "release":
        return settle((delivery) => settled(delivery, RELEASE, null));
      case "disable":
        return settle(async (delivery) => ({
          ...retried(delivery, 0),
          health: await this.#w.gone(delivery.webhookNo),
        }));
      case "failLong":
        return settle((delivery) => ({
          ...retried(delivery, 0),
          health: FAILED,
        }));
      case "mark":
        return act("deliveries.markStarted", async () => {
          await store.deliveries.markStarted(this.#instanceNo, this.#held);
        });
      case "crash":
        return [
          ...act("deliveries.rescue", async () => {
            await crash(this.#w, this.#instanceNo);
          }),
          ...this.#start(),
        ];
      case "restart":
        return [
          ...act("instances.end", () => store.instances.end(this.#instanceNo)),
          ...this.#start(),
        ];
      case "forget":
        return act("deliveries.releaseForgotten", async () => {
          this.#held = this.#held.slice(1);
          await store.deliveries.releaseForgotten(this.#instanceNo, this.#held);
        });
      case "pause":
        return act("webhooks.pause", () => attempt(() => store.webhooks.pause(hook, null)));
      case "resumeSend":
        return act("webhooks.resume", () =>
          attempt(() => store.webhooks.resume(hook, null, "send")),
        );
      case "resumeDrop":
        return act("webhooks.resume", () =>
          attempt(() => store.webhooks.resume(hook, null, "drop")),
        );
      case "probe":
        return act("deliveries.claimProbes", async () => {
          this.#held.push(...(await store.deliveries.claimProbes(this.#instanceNo, 5, 1000)));
        });
      case "deleteWebhook":
        return pick % 4 > 0
          ? []
          : act("webhooks.delete", () => attempt(() => store.webhooks.delete(hook, null)));
      case "changeOwner":
        return pick % 8 > 0
          ? []
          : act("resources.put", () =>
              store.resources.put([
                { id: this.#shop.id, ownerId: `owner-${pick}`, title: "T", subtitle: "" },
              ]),
            );
      case "cancel":
        return act("deliveries.cancelMarked", () => store.deliveries.cancelMarked(1 + (pick % 5)));
      case "redeliver":
        return act("log.redeliver", () => attempt(async () => await this.#redeliver(pick)));
      case "replay":
        return act("log.replayStep", () =>
          attempt(async () => {
            const filter: ReplayFilter = { ...allOf(hook), states: ["dead", "cancelled"] };
            await store.log.replayStep(filter, 0, 2);
          }),
        );
      case "sendNow":
        return act("log.sendNow", () =>
          attempt(async () => {
            const { items } = await store.log.list({ ownerId: null, webhookId: hook }, newest(20));
            const one = items[pick % Math.max(1, items.length)];
            await store.log.sendNow(one?.deliveryId ?? "", null);
          }),
        );
      case "sendWaiting":
        return act("log.sendWaitingStep", () =>
          attempt(() => store.log.sendWaitingStep(hook, null, null, 1 + (pick % 3))),
        );
      case "stopWaiting":
        return act("log.stopWaitingStep", () =>
          attempt(() => store.log.stopWaitingStep(hook, null, 1 + (pick % 3))),
        );
      case "pull":
        return act("deliveries.pullForward", () =>
          store.deliveries.pullForward(2, { perSecond: 2, doubleEveryMs: 1000 }),
        );
      case "ping":
        return act("log.recordPing", () =>
          attempt(async () => {
            const state = pick % 2 === 0 ? "delivered" : "dead";
            await this.#w.ping({ id: hook, resourceId: this.#shop.id }, { state });
          }),
        );
      case "erase":
        return act("erasure.step", () => store.actingAs(SYSTEM).erasure.step(1 + (pick % 3), null));
      case "later":
        return act("time", () => this.#w.harness.advance(pick * 1000));
      case "prune":
        return act("maintenance.prune", () => store.maintenance.prune(600_000, 600_000, 20));
    }
  }

  #start(): Act[] {
    return [
      {
        by: "instances.start",
        run: async () => {
          this.#instanceNo = await this.#w.instanceNo();
          this.#held = [];
          return [];
        },
      },
    ];
  }

  async #accept(leased: boolean, pick: number): Promise<number[]> {
    const { id } = this.#shop;
    const user = 1 + (pick % 3);
    const item =
      pick % 5 === 0
        ? update(id, fileVersion(this.#w.name("u")), { previous: fileVersion("0") })
        : event(id, pick % 2 === 0 ? "purchase" : "removed", user);
    const { results, preLeased, notPreLeased } = await this.#w.store.events.accept(
      [item],
      leased ? budget(this.#instanceNo, { share: 3 }) : null,
    );
    this.#held.push(...preLeased);
    const [result] = results;
    assert.ok(result?.kind === "accepted");
    assert.equal(result.deliveries, preLeased.length + notPreLeased);
    return preLeased.map(({ seq }) => seq);
  }

  async #redeliver(pick: number): Promise<void> {
    const { items } = await this.#w.store.log.list(
      { ownerId: null, resourceId: this.#shop.id },
      newest(100),
    );
    const item = items[pick % Math.max(1, items.length)];
    if (item !== undefined) await this.#w.store.log.redeliver(item.deliveryId, null, true);
  }
}

import type { EventName } from "@markethook/protocol";
import { eventBit } from "../port/attempt-counts.ts";
import type { HealthSignal, QueuedDelivery } from "../port/deliveries.ts";
import type { Webhook } from "../port/webhooks.ts";
import { counted } from "./counted.ts";
import { only } from "./checks.ts";
import { event } from "./reports.ts";
import { DAY, delivered, FAILED, failed, retried } from "./settlements.ts";
import type { World } from "./world.ts";

/** A webhook whose deliveries are made to fail, for the tests of health. */
interface Failing {
  hook: Webhook;
  resourceId: string;
  /** Two events that keep failing. */
  first: number;
  second: number;
  webhook(): Promise<Webhook>;
  /** Kinds of the notices so far, oldest first. */
  kinds(): Promise<string[]>;
  /** Answers the webhooks whose state changed at the last of `times` failures. */
  fail(
    user: number,
    times?: number,
    signal?: HealthSignal,
    whilePaused?: boolean,
  ): Promise<number[]>;
  ok(): Promise<void>;
  disable(): Promise<void>;
  /** As it is counted; null: a request of this hour failed. */
  accepts(name: EventName | null): Promise<void>;
}

export async function failing(w: World): Promise<Failing> {
  const shop = await w.shop();
  const { hook } = shop;
  const [first, second] = [w.user(), w.user()];
  const open = new Map<number, QueuedDelivery>();

  /** A fresh lease on the delivery about this buyer, made where there is none. */
  async function lease(user: number, instanceNo: number): Promise<QueuedDelivery> {
    const known = open.get(user);
    if (known === undefined)
      return await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    const hints = [{ webhookNo: hook.no, orderKey: user }];
    const cursor = Number.MAX_SAFE_INTEGER;
    const request = { instanceNo, cursor, webhooks: 1, perWebhook: 1, hints, full: [] };
    return only((await w.store.deliveries.claim(request)).deliveries);
  }

  async function fail(
    user: number,
    times = 1,
    signal: HealthSignal = FAILED,
    whilePaused = false,
  ): Promise<number[]> {
    const instanceNo = await w.instanceNo();
    let changed: number[] = [];
    if (whilePaused) await w.store.webhooks.resume(hook.id, null, "send");
    for (let i = 0; i < times; i += 1) {
      const delivery = await lease(user, instanceNo);
      open.set(user, delivery);
      if (whilePaused) await w.store.webhooks.pause(hook.id, null);
      const outcome = await w.settle(instanceNo, [{ ...retried(delivery, 0), health: signal }]);
      changed = outcome.changedWebhooks;
    }
    await w.store.instances.end(instanceNo);
    return changed;
  }

  return {
    hook,
    resourceId: shop.id,
    first,
    second,
    fail,
    webhook: async () => await w.store.webhooks.get(hook.id, null),
    kinds: async () => (await w.notices(shop.ownerId)).map(({ kind }) => kind),
    async ok() {
      const instanceNo = await w.instanceNo();
      const leasedOne = await w.acceptOne(shop.id, instanceNo);
      await w.settle(instanceNo, [{ ...delivered(leasedOne), health: { kind: "ok" } }]);
      await w.store.instances.end(instanceNo);
    },
    async accepts(name) {
      const now = await w.store.maintenance.now();
      const none = { ok: 0, failed: 1, lastOutcome: "http_error", lastOkAt: 0, okEvents: 0 };
      const change = name === null ? none : { okEvents: eventBit(name) };
      await w.store.attemptCounts.add([counted(hook.no, now, change)]);
    },
    async disable() {
      const own = await w.instanceNo();
      const deliveries = [await w.acceptOne(shop.id, own), await w.acceptOne(shop.id, own)];
      await w.settleEach(own, deliveries, (one) => failed(one));
      await w.harness.advance(6 * DAY);
      for (let i = 0; i < 5; i += 1) {
        const again = (await w.claimAll(own)).filter((one) =>
          deliveries.some((delivery) => delivery.seq === one.seq),
        );
        await w.settleEach(own, again, (one) => failed(one));
      }
      await w.store.instances.end(own);
    },
  };
}

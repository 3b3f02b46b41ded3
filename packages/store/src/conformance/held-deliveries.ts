import assert from "node:assert/strict";
import { test } from "node:test";
import type { SendableWebhook, Webhook } from "../port/webhooks.ts";
import { only } from "./checks.ts";
import { event } from "./reports.ts";
import { RELEASE, retried, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testHeldDeliveries(w: World): void {
  test("resuming with send releases everything that was held", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const id = shop.hook.id;
    assert.equal((await w.store.webhooks.pause(id, null)).state, "paused");
    await w.accept(w.purchases(shop.id, 3));
    assert.deepEqual(await w.claimAll(instanceNo), []);
    const counted = await w.store.log.countHeld(shop.hook.no);
    assert.deepEqual(counted, { count: 3, capped: false });
    assert.equal((await w.store.webhooks.resume(id, null, "send")).state, "active");
    assert.equal((await w.claimAll(instanceNo)).length, 3);
  });

  test("resuming with drop cancels what was held in bounded steps, then becomes active", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const id = shop.hook.id;
    await w.store.webhooks.pause(id, null);
    await w.accept(w.purchases(shop.id, 25));
    const dropping = await w.store.webhooks.resume(id, null, "drop");
    assert.deepEqual([dropping.state, dropping.dropping], ["paused", true]);
    const [later] = await w.accept(w.purchases(shop.id));
    assert.deepEqual(await w.claimAll(instanceNo), [], "nothing goes before the old ones are gone");
    const steps: number[] = [];
    for (let step = 0; step < 4; step += 1) steps.push(await w.store.deliveries.cancelMarked(10));
    assert.deepEqual(steps, [10, 10, 5, 0]);
    const after = await w.store.webhooks.get(id, null);
    assert.deepEqual([after.state, after.dropping], ["active", false]);
    const fresh = only(await w.claimAll(instanceNo));
    assert.ok(later?.includes(fresh.tag));
    const items = await w.listed({ ownerId: null, webhookId: id, state: "cancelled" }, 100);
    assert.equal(items.length, 25);
    assert.ok(items.every((item) => item.reason === "dropped"));
    await w.deliver(instanceNo, [fresh]);
  });

  test("a drop waits for what is leased still: when that comes back, it is cancelled too", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const id = shop.hook.id;
    const delivery = await w.acceptOne(shop.id, instanceNo);
    await w.store.webhooks.pause(id, null);
    await w.store.webhooks.resume(id, null, "drop");
    assert.equal(await w.store.deliveries.cancelMarked(10), 0);
    assert.equal((await w.store.webhooks.get(id, null)).dropping, true);
    await w.settle(instanceNo, [retried(delivery, 60_000)]);
    assert.equal(await w.store.deliveries.cancelMarked(10), 1);
    await w.store.deliveries.cancelMarked(10);
    assert.equal((await w.store.webhooks.get(id, null)).state, "active");
    assert.equal(await w.state(delivery.seq), "cancelled");
  });

  test("a webhook paused while its backlog is dropped stays paused; one resumed with send keeps the rest", async () => {
    const shop = await w.shop();
    const id = shop.hook.id;
    await w.store.webhooks.pause(id, null);
    await w.accept(w.purchases(shop.id, 2));
    await w.store.webhooks.resume(id, null, "drop");
    await w.store.webhooks.pause(id, null);
    assert.deepEqual(
      [await w.store.deliveries.cancelMarked(10), await w.store.deliveries.cancelMarked(10)],
      [2, 0],
    );
    const paused = await w.store.webhooks.get(id, null);
    assert.deepEqual([paused.state, paused.dropping], ["paused", false]);
    assert.equal((await sendable(w, paused)).cancelled, false);
    await w.accept(w.purchases(shop.id, 2));
    await w.store.webhooks.resume(id, null, "drop");
    await w.store.deliveries.cancelMarked(1);
    await w.store.webhooks.resume(id, null, "send");
    assert.equal((await w.claimAll(await w.instanceNo())).length, 1);
  });

  test("a final answer during a drop keeps the webhook disabled", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const id = shop.hook.id;
    const delivery = await w.acceptOne(shop.id, instanceNo);
    await w.store.webhooks.pause(id, null);
    await w.store.webhooks.resume(id, null, "drop");
    const health = await w.gone(delivery.webhookNo);
    await w.settle(instanceNo, [{ ...retried(delivery, 0), health }]);
    while ((await w.store.deliveries.cancelMarked(10)) > 0);
    await w.store.deliveries.cancelMarked(10);
    const after = await w.store.webhooks.get(id, null);
    assert.deepEqual(
      [after.state, after.disabledReason, after.dropping],
      ["disabled", "gone", false],
    );
  });

  test("resuming an active webhook changes nothing: what is on its way is not dropped", async () => {
    const shop = await w.shop();
    const id = shop.hook.id;
    await w.accept([event(shop.id, "purchase", 1)]);
    for (const held of ["send", "drop"] as const) {
      const hook = await w.store.webhooks.resume(id, null, held);
      assert.deepEqual([hook.state, hook.dropping], ["active", false]);
    }
    assert.equal(await w.store.deliveries.cancelMarked(10), 0);
  });

  test("a step ends a bounded number of deletions, and the next ones end the rest", async () => {
    const { id, ownerId } = await w.resource();
    await w.harness.tamper(
      `insert into webhooks (id, resource_id, owner_id, url, shown_url, host, format, description, state, secret,
           secret_is_text, created_at, updated_at, deleted_at, cancel_before, cancel_reason)
         ${numbersUpTo(w, 1200)} select '${id}_' || i, '${id}', '${ownerId}', '', '', '', 'json', '',
           'active', 'secret', 0, 1, 1, 1, ${Number.MAX_SAFE_INTEGER}, 'webhook_deleted' from n`,
    );
    const left: number[] = [];
    do {
      assert.equal(await w.store.deliveries.cancelMarked(2000), 0);
      const hooks = (await w.harness.rows("webhooks")).filter((row) => row["resource_id"] === id);
      left.push(hooks.filter((row) => row["secret"] === "secret").length);
    } while (left.at(-1) !== 0);
    assert.deepEqual(left, [700, 200, 0]);
  });

  test("a step looks at a bounded number of webhooks of earlier owners, and the next one at those behind them", async () => {
    const { id, ownerId } = await w.resource();
    await w.harness.tamper(
      `insert into webhooks (id, resource_id, owner_id, url, shown_url, host, format, description, state, reason, secret,
           secret_is_text, created_at, updated_at, cancel_before, cancel_reason)
         ${numbersUpTo(w, 6000)} select '${id}_' || i, '${id}', 'earlier', '', '', '', 'json', '',
           'disabled', 'owner_changed', '', 0, 1, 1, ${Number.MAX_SAFE_INTEGER}, 'owner_changed' from n`,
    );
    const shop = await w.shop();
    await w.accept([event(shop.id, "purchase", w.user())]);
    await w.store.resources.put([{ id: shop.id, ownerId, title: "T" }]);
    const steps: number[] = [];
    for (let step = 0; step < 3; step += 1) steps.push(await w.store.deliveries.cancelMarked(10));
    assert.deepEqual(steps, [0, 1, 0]);
    await w.harness.tamper(`update webhooks set cancel_before = null where resource_id = '${id}'`);
    const late = await w.shop();
    await w.accept([event(late.id, "purchase", w.user())]);
    await w.store.webhooks.delete(only(late.hooks).id, null);
    assert.equal(await w.store.deliveries.cancelMarked(10), 1, "it begins again at the first");
  });

  test("a deleted webhook's open deliveries are cancelled in the background, leased ones by the sender", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { hook } = shop;
    const delivery = await w.acceptOne(shop.id, instanceNo);
    await w.accept(w.purchases(shop.id, 5));
    await w.store.webhooks.delete(hook.id, null);
    assert.equal((await sendable(w, hook)).cancelled, true);
    await w.accept(w.purchases(shop.id));
    assert.deepEqual(
      [await w.store.deliveries.cancelMarked(3), await w.store.deliveries.cancelMarked(3)],
      [3, 2],
    );
    await w.settle(instanceNo, [retried(delivery, 0)]);
    await w.harness.advance(120_000);
    assert.equal(await w.store.deliveries.cancelMarked(3), 1, "it came back much later");
    const items = await w.listed({ ownerId: shop.ownerId, webhookId: hook.id }, 100);
    assert.deepEqual(
      [...new Set(items.map((item) => `${item.state} ${item.reason}`))],
      ["cancelled webhook_deleted"],
    );
    assert.equal(items.length, 6, "its log stays");
  });

  test("of a deleted webhook URL, secret, description and next probe are forgotten, once its deliveries have ended", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { hook } = shop;
    const delivery = await w.acceptOne(shop.id, instanceNo);
    const other = await w.webhook(shop.id, { description: "Stays" });
    const chat = await w.webhook(shop.id, {
      format: "discord",
      url: "https://chat.example/api/webhooks/1/t0ken",
      shownUrl: "https://chat.example/1",
      chat: "{}",
      description: "Goes",
    });
    await w.harness.tamper(`update webhooks set probe_at = 1 where id = '${chat.id}'`);
    for (const { id } of [hook, chat]) await w.store.webhooks.delete(id, null);
    const kept = async (): Promise<string[]> =>
      (await w.harness.rows("webhooks"))
        .filter((row) => row["resource_id"] === shop.id)
        .filter((row) =>
          ["url", "secret", "description", "chat_options", "chat_target", "probe_at"].some(
            (name) => row[name] !== null && row[name] !== "",
          ),
        )
        .map((row) => String(row["id"]));
    await w.harness.advance(120_000);
    await w.store.deliveries.cancelMarked(10);
    assert.ok((await kept()).includes(hook.id), "one is on its way");
    await w.settle(instanceNo, [settled(delivery, RELEASE, null)]);
    while ((await w.store.deliveries.cancelMarked(10)) > 0);
    assert.deepEqual(await kept(), [other.id]);
    const { cancelled, host } = await sendable(w, hook);
    assert.deepEqual([cancelled, host], [true, hook.host]);
    const items = await w.listed({ ownerId: shop.ownerId, webhookId: hook.id }, 100);
    assert.equal(items.length, 1, "its log stays");
  });
}

/** The beginning of a statement, with a table `n` of these. */
function numbersUpTo({ store }: World, last: number): string {
  return store.kind === "sqlite"
    ? `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${last})`
    : `with n (i) as (select i from generate_series(1, ${last}) as i)`;
}

async function sendable(w: World, hook: Webhook): Promise<SendableWebhook> {
  return only(await w.store.webhooks.forSending([hook.no]));
}

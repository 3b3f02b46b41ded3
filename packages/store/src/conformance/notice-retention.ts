import assert from "node:assert/strict";
import { test } from "node:test";
import type { Notice } from "../port/administration.ts";
import { each } from "./lists.ts";
import { DAY, DEAD, RULE, settled } from "./settlements.ts";
import type { World } from "./world.ts";

const LONG_MS = 60_000;

/** Tests of this file have a position of posting in common, which only the last one begins. */
export function testNoticeRetention(w: World): void {
  /** Leaves a notice about a change of address. */
  async function noticed(): Promise<string> {
    const shop = await w.shop();
    await w.store.webhooks.change(shop.hook.id, null, { url: "https://else.example" });
    return shop.ownerId;
  }

  async function of(w: World, ownerId: string): Promise<Notice[]> {
    return await w.notices(ownerId);
  }

  test("notices go after the retention, and after 30 days if that is less; others stay", async () => {
    const early = await noticed();
    await w.harness.advance(20 * DAY);
    const late = await noticed();
    await pruneAll(w, 1000);
    assert.deepEqual([(await of(w, early)).length, (await of(w, late)).length], [1, 1]);
    await w.harness.advance(11 * DAY);
    await pruneAll(w, 90 * DAY);
    assert.equal((await of(w, early)).length, 1);
    await pruneAll(w, 1000);
    assert.deepEqual([(await of(w, early)).length, (await of(w, late)).length], [0, 1]);
  });

  test("a reader that was away for longer goes on with the notices that are there", async () => {
    const [newest] = await w.store.notices.newest(1);
    const after = newest?.no ?? 0;
    for (let count = 0; count < 5; count += 1) await noticed();
    await w.harness.advance(31 * DAY);
    const young = await noticed();
    await pruneAll(w, 1000);
    const found = await w.store.notices.list(after, 1000, null);
    assert.deepEqual(each(found, "ownerId"), [young]);
  });

  test("the notice that a webhook was disabled stays until it is not disabled any more", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { id } = shop.hook;
    const delivery = await w.acceptOne(shop.id, instanceNo);
    const gone = await w.gone(delivery.webhookNo);
    const settlement = settled(delivery, DEAD, { status: 410 }, gone);
    await w.store.deliveries.settle(instanceNo, [settlement], RULE);
    await w.harness.advance(100 * DAY);
    await pruneAll(w, 1000);
    assert.deepEqual(each(await of(w, shop.ownerId), "kind"), ["webhook_disabled"]);
    await w.store.webhooks.resume(id, null, "drop");
    while ((await w.store.deliveries.cancelMarked(1000)) > 0);
    await pruneAll(w, 1000);
    assert.deepEqual(await of(w, shop.ownerId), []);
  });

  test("a notice that is still to be posted stays, however old it is", async () => {
    const { noticePosts, notices } = w.store;
    const first = await noticed();
    const after = await noticePosts.take("a", LONG_MS);
    const [second, third] = [await noticed(), await noticed()];
    await w.harness.advance(400 * DAY);
    await pruneAll(w, 1000);
    assert.deepEqual(await of(w, first), []);
    const [posted, unposted] = await notices.list(after ?? 0, 1000, null);
    assert.deepEqual([posted?.ownerId, unposted?.ownerId], [second, third]);
    await noticePosts.take("a", LONG_MS);
    assert.equal(await noticePosts.advance("a", posted?.no ?? 0, LONG_MS), true);
    await pruneAll(w, 1000);
    assert.deepEqual(await of(w, second), []);
    assert.equal((await of(w, third)).length, 1);
    assert.equal((await noticePosts.lag())?.unposted, 1);
    await noticePosts.release("a");

    // What is damaged keeps the notices, and nothing else from going.
    await w.harness.tamper(`update meta set value = '{"after"' where key = 'notice_posts'`);
    await pruneAll(w, 1000);
    assert.equal((await of(w, third)).length, 1);
    await w.harness.tamper("delete from meta where key = 'notice_posts'");
    await pruneAll(w, 1000);
    assert.equal((await of(w, third)).length, 0);
  });
}

/** In steps of two rows. */
async function pruneAll(w: World, retentionMs: number): Promise<void> {
  await w.prune(retentionMs, 1000 * DAY, 2);
}

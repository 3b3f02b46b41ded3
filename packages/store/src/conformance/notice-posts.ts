import assert from "node:assert/strict";
import { test } from "node:test";
import type { World } from "./world.ts";

const LONG_MS = 60_000;

/** There is one position per database, so this file's tests follow one another. */
export function testNoticePosts(w: World): void {
  async function noticed(): Promise<void> {
    const shop = await w.shop();
    const url = "https://elsewhere.example";
    await w.store.webhooks.change(shop.hook.id, null, { url });
  }

  test("posting begins with what comes after the first look; one instance has the right to it", async () => {
    const { noticePosts } = w.store;
    await noticed();
    const [newest] = await w.store.notices.newest(1);
    assert.equal(await noticePosts.take("a", LONG_MS), newest?.no);
    assert.equal(await noticePosts.take("b", LONG_MS), null);
    assert.equal(await noticePosts.take("a", LONG_MS), newest?.no);
    assert.deepEqual(await noticePosts.lag(), { unposted: 0, oldestAt: null });
    await noticePosts.release("a");
    assert.equal(await noticePosts.take("b", 0), newest?.no);
  });

  test("the number moves on for who has the right, and for nobody else", async () => {
    const { noticePosts } = w.store;
    const after = (await noticePosts.take("a", LONG_MS)) ?? 0;
    await noticed();
    const [notice] = await w.store.notices.list(after, 1000, null);
    assert.ok(notice);
    assert.deepEqual(await noticePosts.lag(), { unposted: 1, oldestAt: notice.createdAt });
    assert.equal(await noticePosts.advance("b", notice.no, LONG_MS), false);
    assert.equal(await noticePosts.advance("a", notice.no, LONG_MS), true);
    assert.deepEqual(await noticePosts.lag(), { unposted: 0, oldestAt: null });
    // A right that is not there is given up in vain.
    await noticePosts.release("b");
    assert.equal(await noticePosts.take("b", LONG_MS), null);
    await noticePosts.release("a");
  });

  test("of many who ask at once for a right that has ended, one gets it", async () => {
    const { noticePosts } = w.store;
    const names = Array.from({ length: 8 }, (_, index) => `x${index}`);
    const got = await Promise.all(names.map((name) => noticePosts.take(name, LONG_MS)));
    assert.equal(got.filter((after) => after !== null).length, 1);
    for (const name of names) await noticePosts.release(name);
  });

  for (const [damage, after] of [
    ['{"after"', 0],
    ["null", 0],
    ['{"after":"12","holder":"a","until":0}', 0],
    ['{"after":1e300,"holder":"a","until":0}', 0],
    ['{"after":1,"holder":"a","until":"never"}', 1],
  ] as const) {
    test(`a damaged position (${damage}) is told once, and posting goes on from the first notice that may not be posted`, async () => {
      const { noticePosts } = w.store;
      await noticed();
      await noticePosts.take("a", 0);
      await w.harness.tamper(`update meta set value = '${damage}' where key = 'notice_posts'`);
      assert.ok(((await noticePosts.lag())?.unposted ?? 0) > 0);
      assert.equal(await noticePosts.advance("a", 1, LONG_MS), false);
      await noticePosts.release("a");
      await assert.rejects(noticePosts.take("a", LONG_MS), /position of notice posts .*damaged/);
      assert.equal(await noticePosts.take("a", LONG_MS), after);
      assert.equal(await noticePosts.take("b", LONG_MS), null);
      await noticePosts.release("a");
    });
  }
}

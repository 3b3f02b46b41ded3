import assert from "node:assert/strict";
import { test } from "node:test";
import { testWorld } from "./open-harness.ts";

const RIGHT_MS = 20_000;

test("the right to post notices ends although the server's clock was set back", async (t) => {
  const { harness } = await testWorld(t);
  const { noticePosts } = harness.store;
  assert.equal(await noticePosts.take("ended", RIGHT_MS), 0);
  await harness.advance(-3_600_000);
  assert.equal(await noticePosts.take("alive", RIGHT_MS), 0);
  assert.equal(await noticePosts.take("ended", RIGHT_MS), null);
  assert.equal(await noticePosts.advance("ended", 1, RIGHT_MS), false);
});

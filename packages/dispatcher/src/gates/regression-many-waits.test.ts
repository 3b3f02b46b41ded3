/**
 * While the receiver of ten thousand webhooks asked them to wait, each request that ended looked at all of these for a pause
 * to end: all others got a third of their rate.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CoolDowns } from "./cool-downs.ts";

test("the end of a request looks at no webhooks that wait because their receiver asked for it", (t) => {
  const coolDowns = new CoolDowns();
  for (let no = 1; no <= 100; no += 1) coolDowns.add(no, 60_000);
  const looks = t.mock.method(Map.prototype, "values");
  assert.equal(coolDowns.endFirstPause(1000), false);
  assert.equal(looks.mock.callCount(), 0);
  coolDowns.pause(7, 1000);
  coolDowns.pause(200, 1500);
  assert.deepEqual([coolDowns.endFirstPause(1600), coolDowns.endFirstPause(1600)], [true, true]);
  assert.equal(coolDowns.endFirstPause(1600), false);
  assert.equal(coolDowns.keepsOut(200, 1600), false);
  assert.equal(coolDowns.keepsOut(7, 1600), true);
});

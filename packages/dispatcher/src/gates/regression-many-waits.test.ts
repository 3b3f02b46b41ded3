/**
 * While the receiver of ten thousand webhooks asked them to wait, each request that ended looked at all of these for a pause
 * to end: all others got a third of their rate. And each claim and each commit made a list of them.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CoolDowns } from "./cool-downs.ts";

test("the end of a request looks at no webhooks that wait because their receiver asked for it", (t) => {
  const coolDowns = new CoolDowns();
  for (let no = 1; no <= 100; no += 1) coolDowns.add(no, 60_000);
  const ways = ["values", "entries", "forEach"] as const;
  const looks = ways.map((way) => t.mock.method(Map.prototype, way));
  assert.equal(coolDowns.endFirstPause(1000), false);
  assert.deepEqual(
    looks.map(({ mock }) => mock.callCount()),
    [0, 0, 0],
  );
  coolDowns.pause(7, 1000, false);
  coolDowns.pause(200, 1500, false);
  assert.deepEqual([coolDowns.endFirstPause(1600), coolDowns.endFirstPause(1600)], [true, true]);
  assert.equal(coolDowns.endFirstPause(1600), false);
  assert.equal(coolDowns.keepsOut(200, 1600), false);
  assert.equal(coolDowns.keepsOut(7, 1600), true);
});

test("a long list of webhooks that wait is made only now and then, although each claim asks for it", () => {
  const coolDowns = new CoolDowns();
  for (let no = 1; no <= 10_000; no += 1) coolDowns.add(no, 60_000);
  const listed = coolDowns.at(1000);
  assert.equal(listed.length, 10_000);
  coolDowns.add(10_001, 60_000);
  assert.equal(coolDowns.at(1009), listed);
  assert.equal(coolDowns.at(1010).length, 10_001);
  assert.equal(coolDowns.at(60_000).length, 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { World } from "./world.ts";

export function testHosts(world: () => World): void {
  test("a confirmed host is confirmed once and stays so, the latest first up to the limit", async () => {
    const { hosts } = world().store;
    const [first, second] = [world().name("a.example.com"), world().name("b.example.com:8080")];
    await hosts.confirm([first]);
    await world().harness.advance(10);
    await hosts.confirm([second, first, second]);
    const known = await hosts.confirmed(1000);
    assert.equal(known.filter((host) => host === first || host === second).length, 2);
    assert.ok(known.indexOf(second) < known.indexOf(first));
    assert.deepEqual(await hosts.confirmed(1), [second]);
    await hosts.confirm([]);
  });

  test("many hosts are confirmed in one call", async () => {
    const { hosts } = world().store;
    const many = Array.from({ length: 2500 }, (_, i) => world().name(`h${i}.example.com`));
    await hosts.confirm(many);
    const known = new Set(await hosts.confirmed(100_000));
    assert.ok(many.every((host) => known.has(host)));
  });
}

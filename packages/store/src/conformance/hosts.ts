import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY } from "./settlements.ts";
import type { World } from "./world.ts";

export function testHosts(w: World): void {
  test("an address under a name is confirmed once, the latest first up to the limit", async () => {
    const { hosts } = w.store;
    const first = { host: w.name("a.example.com"), address: "203.0.113.1" };
    const second = { host: w.name("b.example.com:8080"), address: "2001:db8::1" };
    const other = { ...second, address: "203.0.113.2" };
    await hosts.confirm([first]);
    await w.harness.advance(10);
    await hosts.confirm([second, other, second]);
    const known = await hosts.confirmed(3);
    assert.deepEqual(new Set(known.slice(0, 2)), new Set([second, other]));
    assert.deepEqual(known[2], first);
    assert.equal((await hosts.confirmed(1)).length, 1);
    await hosts.confirm([]);
  });

  test("many are confirmed in one call, and forgotten when they were not confirmed again for 30 days", async () => {
    const { hosts } = w.store;
    const many = Array.from({ length: 2500 }, (_, i) => ({
      host: w.name(`h${i}.example.com`),
      address: "203.0.113.3",
    }));
    const known = async (): Promise<Set<string>> =>
      new Set((await hosts.confirmed(100_000)).map(({ host }) => host));
    await hosts.confirm(many);
    const before = await known();
    assert.ok(many.every(({ host }) => before.has(host)));
    await w.harness.advance(31 * DAY);
    await hosts.confirm(many.slice(0, 10));
    const after = await known();
    assert.equal(many.filter(({ host }) => after.has(host)).length, 10);
  });
}

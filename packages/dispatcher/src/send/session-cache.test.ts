import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionCache } from "./session-cache.ts";

const ORIGIN = "https://shop.example.com";
const MINUTE = 60_000;

function setUp() {
  const clock = { now: 0 };
  return { clock, cache: new SessionCache(100_000, () => clock.now) };
}

test("sessions that continue one another end an hour after the certificate was shown", () => {
  const { clock, cache } = setUp();
  cache.keep(ORIGIN, Buffer.from("0"), { group: "X25519", resumed: false });
  for (const minute of [20, 40, 59]) {
    clock.now = minute * MINUTE;
    const before = cache.find(ORIGIN);
    assert.ok(before);
    cache.keep(ORIGIN, Buffer.from(String(minute)), { group: "X25519", before, resumed: true });
  }
  clock.now = 60 * MINUTE;
  assert.equal(cache.find(ORIGIN), undefined);
});

test("a session that the receiver did not resume starts with its certificate again", () => {
  const { clock, cache } = setUp();
  cache.keep(ORIGIN, Buffer.from("first"), { group: "X25519", resumed: false });
  clock.now = 50 * MINUTE;
  const before = cache.find(ORIGIN);
  assert.ok(before);
  cache.keep(ORIGIN, Buffer.from("second"), { group: "X25519", before, resumed: false });
  clock.now = 100 * MINUTE;
  assert.equal(cache.find(ORIGIN)?.session.toString(), "second");
});

test("a receiver that chooses several groups has none that is known", () => {
  const { cache } = setUp();
  const groups = ["X25519", "X25519", "prime256v1", "X25519"].map((group) => {
    const before = cache.find(ORIGIN);
    const offered = before === undefined ? {} : { before };
    cache.keep(ORIGIN, Buffer.from("s"), { group, ...offered, resumed: false });
    return cache.find(ORIGIN)?.group;
  });
  assert.deepEqual(groups, ["X25519", "X25519", null, null]);
});

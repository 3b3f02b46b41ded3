import assert from "node:assert/strict";
import { test } from "node:test";
import { addressGroup } from "./connection-limits.ts";

test("an IPv4 address counts alone, however it is written", () => {
  assert.equal(addressGroup("192.0.2.7"), "192.0.2.7");
  assert.equal(addressGroup("::ffff:192.0.2.7"), "192.0.2.7");
});

test("IPv6 addresses of one /64 network count together", () => {
  assert.equal(addressGroup("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2");
  assert.equal(addressGroup("2001:db8:1:2::9"), "2001:db8:1:2");
  assert.equal(addressGroup("2001:db8::9"), "2001:db8:0:0");
  assert.equal(addressGroup("::1"), "0:0:0:0");
  assert.notEqual(addressGroup("2001:db8:1:3::9"), addressGroup("2001:db8:1:2::9"));
});

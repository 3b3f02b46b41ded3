import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddressList } from "./address-list.ts";

test("an address is in a list that has it, or its network", () => {
  const list = parseAddressList(["192.0.2.7", "198.51.100.0/24", "2001:db8::/32"]);
  for (const inside of ["192.0.2.7", "::ffff:192.0.2.7", "198.51.100.200", "2001:db8:5::1"]) {
    assert.equal(list?.has(inside), true, inside);
  }
  for (const outside of ["192.0.2.8", "198.51.101.1", "2001:db9::1", "", "nonsense"]) {
    assert.equal(list?.has(outside), false, outside);
  }
});

test("what is neither an address nor a CIDR makes no list", () => {
  for (const entry of [
    "",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "::/129",
    "fe80::1%eth0",
    "market.example",
    "10.0.0.0/-1",
  ]) {
    assert.equal(parseAddressList([entry]), null, entry);
  }
});

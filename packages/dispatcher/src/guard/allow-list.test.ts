import assert from "node:assert/strict";
import { test } from "node:test";

import { allowsInnerNetwork, parseAllowList } from "./allow-list.ts";

test("an empty setting allows nothing", () => {
  for (const text of ["", " ", ",", " , "]) {
    const allow = parseAllowList(text);
    assert.deepEqual(allow.entries, []);
    assert.equal(allow.allows("127.0.0.1", 80), false);
  }
});

test("every form of an entry is read", () => {
  const cases: [string, [string, number][], [string, number][]][] = [
    ["10.0.0.0/8", [["10.9.9.9", 1]], [["11.0.0.1", 1]]],
    ["10.0.0.7", [["10.0.0.7", 80]], [["10.0.0.8", 80]]],
    ["10.0.0.7:80", [["10.0.0.7", 80]], [["10.0.0.7", 81]]],
    ["10.0.0.0/8:80", [["10.9.9.9", 80]], [["10.9.9.9", 81]]],
    ["::1", [["::1", 5]], [["::2", 5]]],
    ["fd00::/8", [["fdff::1", 5]], [["fe00::1", 5]]],
    ["[fd00::/8]", [["fdff::1", 5]], [["fe00::1", 5]]],
    ["[fd00::/8]:443", [["fdff::1", 443]], [["fdff::1", 80]]],
    ["[::1]:443", [["::1", 443]], [["::1", 80]]],
    ["::ffff:10.0.0.0/104", [["10.9.9.9", 5]], [["11.0.0.1", 5]]],
    ["0.0.0.0/0", [["192.168.0.1", 5]], [["::1", 5]]],
  ];
  for (const [entry, yes, no] of cases) {
    const allow = parseAllowList(entry);
    assert.deepEqual(allow.entries, [entry]);
    for (const [address, port] of yes) assert.equal(allow.allows(address, port), true, entry);
    for (const [address, port] of no) assert.equal(allow.allows(address, port), false, entry);
  }
});

test("a bad entry is named", () => {
  const bad = [
    "localhost",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0/8",
    "10.0.0.0/8:0",
    "10.0.0.0/8:65536",
    "10.0.0.0/8:",
    "10.0.0.0/8/8",
    "fd00::/129",
    "[fd00::/8",
    "fd00::/8]:443",
    "fd00::/8:443",
    "[10.0.0.0/8",
    "*",
    "10.0.0.0/-1",
    "fe80::1%eth0",
    "010.0.0.1",
    "http://10.0.0.1",
  ];
  for (const entry of bad) {
    assert.throws(
      () => parseAllowList(`127.0.0.0/8, ${entry}`),
      (error) => error instanceof RangeError && error.message.includes(`"${entry}"`),
      entry,
    );
  }
});

test("loopback alone is not an inner network", () => {
  for (const text of ["", "127.0.0.0/8", "127.0.0.1:80,::1", "[::1]:80,::1/128"]) {
    assert.equal(allowsInnerNetwork(parseAllowList(text)), false, text);
  }
  for (const text of ["10.0.0.0/8", "127.0.0.1,fd00::/8", "::1:0/112"]) {
    assert.equal(allowsInnerNetwork(parseAllowList(text)), true, text);
  }
});

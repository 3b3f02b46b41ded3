import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { parseAllowList } from "./allow-list.ts";
import { judgeAddress } from "./address-guard.ts";

const nothing = parseAllowList("");

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

test("no special address passes", () => {
  const refused = words(`
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.0 100.127.255.255 100.100.100.200 127.0.0.1
    127.255.255.254 168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1
    172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
    198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:0:127.0.0.1
    ::ffff:168.63.129.16 ::5efe:7f00:1 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::a9fe:a9fe
    100::1 2001::1 2001:2::1 2001:20::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1ff:ffff::1
    2001:db8::1 2001:db8:ffff::1 2002:7f00:1:: 2002:a9fe:a9fe::1 2620:4f:8000::1 3fff::1
    3fff:fff::1 4000::1
    5f00::1 fc00::1 fd00:ec2::254 fd12:3456:789a::1 fe80::1 febf::1 fec0::1 ff02::1 1fff::1
  `);
  for (const address of refused) assert.equal(judgeAddress(address, 443, nothing), false, address);
});

test("addresses at the outer edges of special ranges pass", () => {
  const passing = words(`
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 93.184.216.34 100.63.255.255 100.128.0.1
    126.255.255.255 128.0.0.1 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.1
    172.15.255.255 172.32.0.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1
    223.255.255.255 2001:200::1 2001:4860:4860::8888 2003::1 2606:4700:4700::1111 3ffe::1
    ::ffff:8.8.8.8
  `);
  for (const address of passing) assert.equal(judgeAddress(address, 443, nothing), true, address);
});

test("what is not an address in its plain form never passes", () => {
  for (const text of ["", "x", "0x7f.1", "127.1", "2130706433", "08.8.8.8", "8.8.8.8.", "8.8.8"]) {
    assert.equal(judgeAddress(text, 80, parseAllowList("0.0.0.0/0,::/0")), false, text);
  }
  assert.equal(judgeAddress("2606:4700::1%eth0", 80, nothing), false);
});

test("an IPv4 address and its mapped form are judged alike", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const mapped = judgeAddress(`::ffff:${address}`, 80, nothing);
      assert.equal(mapped, judgeAddress(address, 80, nothing));
    }),
  );
});

test("outside 2000::/3 no IPv6 address but a mapped one passes", () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      if (!judgeAddress(address, 80, nothing)) return;
      assert.match(address, /^[23]|^(0{0,4}:){2,5}(ffff|FFFF):/);
    }),
    { numRuns: 2000 },
  );
});

test("the allow list opens its addresses, on its port only where one is named", () => {
  const allow = parseAllowList("127.0.0.0/8:9000, 10.1.0.0/16, [fd00::/8]:443");
  assert.equal(judgeAddress("127.0.0.1", 9000, allow), true);
  assert.equal(judgeAddress("::ffff:127.0.0.1", 9000, allow), true);
  assert.equal(judgeAddress("127.0.0.1", 9001, allow), false);
  assert.equal(judgeAddress("10.1.2.3", 1, allow), true);
  assert.equal(judgeAddress("10.2.2.3", 1, allow), false);
  assert.equal(judgeAddress("fd12::1", 443, allow), true);
  assert.equal(judgeAddress("fd12::1", 80, allow), false);
});

test("in a dry run nothing but the allow list passes, not even public addresses", () => {
  const allow = { ...parseAllowList("127.0.0.0/8:9000"), exclusive: true };
  assert.equal(judgeAddress("127.0.0.1", 9000, allow), true);
  for (const address of ["127.0.0.1", "8.8.8.8", "2606:4700:4700::1111"]) {
    assert.equal(judgeAddress(address, 443, allow), false, address);
  }
});

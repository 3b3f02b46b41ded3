import assert from "node:assert/strict";
import { BlockList, isIP } from "node:net";
import { test } from "node:test";

import { readTarget } from "./url-rules.ts";
import { parseAllowList } from "./allow-list.ts";
import { disguisedUrl, seededRandom } from "./testing/disguised-urls.ts";
import { bareHost, DEFAULT_BLOCKED_PORTS } from "./url-rules.ts";

/** 100,000 go through the running service by `npm run lab -- --full`; MARKETHOOK_URLS sets another count here. */
const COUNT = Number(process.env["MARKETHOOK_URLS"] ?? 2000);
const rules = { allow: parseAllowList(""), blockedPorts: DEFAULT_BLOCKED_PORTS };

/** Written out here once more, so that the guard is not judged by itself: the registries of special addresses. */
const special = new BlockList();
for (const block of [
  ..."0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12".split(" "),
  ..."192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15".split(" "),
  ..."198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32".split(" "),
]) {
  const [address = "", bits] = block.split("/");
  special.addSubnet(address, Number(bits), "ipv4");
}
const handedOut = new BlockList();
handedOut.addSubnet("2000::", 3, "ipv6");
for (const block of ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]) {
  const [address = "", bits] = block.split("/");
  special.addSubnet(address, Number(bits), "ipv6");
}

function isPublic(host: string): boolean {
  if (isIP(host) === 4) return !special.check(host, "ipv4");
  const dotted = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (dotted !== null) {
    const words = dotted.slice(1).map((word) => Number.parseInt(word, 16));
    return isPublic(words.flatMap((word) => [word >> 8, word & 255]).join("."));
  }
  return handedOut.check(host, "ipv6") && !special.check(host, "ipv6");
}

test(`of ${COUNT} disguised URLs each is refused, or the parser and the dialler see the same public host`, () => {
  const random = seededRandom(7);
  let passed = 0;
  for (let index = 0; index < COUNT; index += 1) {
    const text = disguisedUrl(random);
    const target = readTarget(text, rules);
    if (typeof target === "string") continue;
    passed += 1;
    const seen = bareHost(new URL(text));
    assert.equal(target.host, seen, JSON.stringify(text));
    const inner = /(^|\.)(localhost|local|internal)$|^[^.]*$|\.$|(^|\.)(0x[0-9a-f]*|\d+)$/.test(
      seen,
    );
    assert.ok(isIP(seen) === 0 ? !inner : isPublic(seen), JSON.stringify(text));
  }
  // A generator whose URLs are all refused for one clumsy reason would show nothing.
  assert.ok(passed > COUNT / 100 && passed < COUNT / 3, `${passed} passed`);
});

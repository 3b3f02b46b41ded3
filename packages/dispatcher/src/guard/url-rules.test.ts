import assert from "node:assert/strict";
import { isIP } from "node:net";
import { test } from "node:test";

import * as fc from "fast-check";

import { judgeAddress } from "./address-guard.ts";
import { parseAllowList } from "./allow-list.ts";
import {
  bareHost,
  checkUrl,
  DEFAULT_BLOCKED_PORTS,
  FAULT_SENTENCES,
  placeOf,
  type UrlFault,
} from "./url-rules.ts";
import { ALLOWED_URLS, REFUSED_URLS } from "./testing/url-strings.ts";

const rules = { allow: parseAllowList(""), blockedPorts: DEFAULT_BLOCKED_PORTS };

function faultOf(text: string, allow = ""): UrlFault | null {
  const checked = checkUrl(text, { ...rules, allow: parseAllowList(allow) });
  return "fault" in checked ? checked.fault : null;
}

for (const [fault, urls] of Object.entries(REFUSED_URLS)) {
  test(`${urls.length} URLs are refused as ${fault}`, () => {
    for (const url of urls) assert.equal(faultOf(url), fault, JSON.stringify(url));
  });
}

test("ordinary URLs pass and keep path and query as written", () => {
  for (const url of ALLOWED_URLS) {
    assert.equal(faultOf(url), null, url);
  }
  const checked = checkUrl("http://example.com/a%0d%0ab?q=%20x", rules);
  assert.ok("url" in checked);
  assert.equal(checked.url.pathname + checked.url.search, "/a%0d%0ab?q=%20x");
});

test("a Unicode name is dialled in its ASCII form", () => {
  const checked = checkUrl("http://аpple.com/", rules);
  assert.ok("url" in checked);
  assert.equal(checked.url.hostname, "xn--pple-43d.com");
});

test("localhost and loopback pass where the allow list has loopback on that port", () => {
  for (const host of ["localhost", "shop.localhost", "127.0.0.1"]) {
    assert.equal(faultOf(`http://${host}:3000/`, "127.0.0.0/8"), null, host);
    assert.equal(faultOf(`http://${host}:3000/`, "127.0.0.1:3000"), null, host);
    assert.equal(faultOf(`http://${host}:3001/`, "127.0.0.1:3000"), "url_host_reserved", host);
    assert.equal(faultOf(`http://${host}:3000/`, "10.0.0.0/8"), "url_host_reserved", host);
  }
  assert.equal(faultOf("http://127.1:3000/", "127.0.0.0/8"), "url_host_form");
});

test("names of an inner network pass once the operator has allowed one", () => {
  for (const name of ["backend", "crm.internal", "x.test", "printer.local"]) {
    assert.equal(faultOf(`http://${name}/`, "127.0.0.0/8"), "url_host_reserved", name);
    assert.equal(faultOf(`http://${name}/`, "10.0.0.0/8"), null, name);
  }
  assert.equal(faultOf("http://x.onion/", "10.0.0.0/8"), "url_host_reserved");
});

test("a blocked port passes only for an address that the operator allowed", () => {
  assert.equal(faultOf("http://10.0.0.1:6379/", "10.0.0.0/8"), null);
  assert.equal(faultOf("http://example.com:6379/", "10.0.0.0/8"), "url_port");
  assert.equal(faultOf("http://93.184.216.34:6379/", "10.0.0.0/8"), "url_port");
});

test("the service itself is nobody's receiver, on its own port", () => {
  for (const [publicUrl, own, other] of [
    [
      "https://hooks.example.com/prefix",
      "https://HOOKS.example.com:443/v1/events",
      "https://hooks.example.com:8443/",
    ],
    ["http://93.184.216.34:8080", "http://93.184.216.34:8080/", "http://93.184.216.34/"],
  ] as const) {
    const guarded = { ...rules, ownPlace: placeOf(publicUrl) };
    assert.ok("fault" in checkUrl(own, guarded), own);
    assert.ok("url" in checkUrl(other, guarded), other);
  }
});

test("every fault has its sentence", () => {
  const checked = checkUrl("http://10.0.0.1/", rules);
  assert.ok("fault" in checked);
  assert.equal(checked.sentence, FAULT_SENTENCES.url_host_reserved);
});

test("no spelling of a loopback address gets past, and no text makes it throw", () => {
  const part = fc.constantFrom(
    "127",
    "0x7f",
    "0177",
    "0",
    "1",
    "00",
    "0x0",
    "１２７",
    ".",
    "。",
    "%2e",
    "\u00ad",
    "@",
    ":80",
    "localhost",
    "[::1]",
    "::ffff:",
    "[",
    "]",
    "/",
    "\\",
    "#",
    "?",
    " ",
    "\t",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const checked = checkUrl(`http://${parts.join("")}`, rules);
      if ("fault" in checked) return;
      const host = bareHost(checked.url);
      assert.doesNotMatch(host, /(^|\.)localhost$/);
      assert.ok(isIP(host) === 0 || judgeAddress(host, 80, rules.allow), host);
    }),
    { numRuns: 5000 },
  );
});

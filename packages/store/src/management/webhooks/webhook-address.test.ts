import assert from "node:assert/strict";
import { test } from "node:test";
import { hostOf } from "./webhook-address.ts";

test("a host is name and port, however the name is written and whatever follows", () => {
  for (const [url, host] of [
    ["https://shop.example.com/hooks/1?a=/b", "shop.example.com"],
    ["https://SHOP.example.com?5", "shop.example.com"],
    ["https://Shop.Example.com#top", "shop.example.com"],
    ["http://shop.example.com:8080", "shop.example.com:8080"],
    ["http://[2001:DB8::1]:8080/", "[2001:db8::1]:8080"],
  ] as const) {
    assert.equal(hostOf(url), host, url);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isPortalPath } from "./portal-path.ts";

test("every page of the owners' pages is a place, with what it shows", () => {
  for (const path of [
    "/",
    "/add",
    "/add?resourceId=castle",
    "/webhooks/wh_8fllc17r7788lpbmi0v7",
    "/webhooks/wh_8fllc17r7788lpbmi0v7?tab=secret",
    "/deliveries",
    "/deliveries?state=dead&from=%222026-01-01%22&userId=42",
    "/deliveries/dlv_1abcdefghij",
    "/events?open=evt_1",
  ]) {
    assert.ok(isPortalPath(path), path);
  }
});

test("an address, another host, and any disguise of one is no place", () => {
  for (const path of [
    "",
    "webhooks/wh_1",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/%2f/evil.example",
    "/%2F%2Fevil.example",
    "/%5cevil.example",
    "/webhooks/%2e%2e",
    "/webhooks/../../operator",
    "/webhooks/wh_1/",
    "/webhooks//evil.example",
    "/deliveries//evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/javascript:alert(1)",
    "data:text/html,x",
    " /webhooks/wh_1",
    "/webhooks/wh_1\n",
    "/\t/evil.example",
    "/webhooks/wh_1#code=mhc_1",
    "/webhooks/wh_1?x=<script>",
    "/webhooks/wh_1?x=%2",
    "/webhooks/wh_1?next=https://evil.example",
    "/webhooks/ｗｈ",
    "/operator",
    "/v1/webhooks",
    "/webhooks",
    `/webhooks/${"x".repeat(65)}`,
    `/deliveries?x=${"x".repeat(1000)}`,
  ]) {
    assert.ok(!isPortalPath(path), path);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { parseAllowList } from "./allow-list.ts";
import { vetAddresses } from "./vet-addresses.ts";

const none = parseAllowList("");

test("of two thousand addresses sixteen are dialled", () => {
  const addresses = Array.from({ length: 2000 }, (_, i) => `93.184.${i >> 8}.${i & 255}`);
  const vetted = vetAddresses("a.example.com", addresses, 443, none);
  assert.deepEqual(vetted, { addresses: addresses.slice(0, 16) });
});

test("a forbidden address refuses its name also where it would never be dialled", () => {
  const addresses = Array.from({ length: 20 }, (_, i) => `93.184.216.${i}`);
  const vetted = vetAddresses("a.example.com", [...addresses, "10.0.0.1"], 443, none);
  assert.deepEqual(vetted, { forbidden: "10.0.0.1" });
});

test("a translated address, as name servers of networks without IPv4 add one, is judged as the one that it leads to", () => {
  const pair = ["93.184.216.34", "64:ff9b::5db8:d822"];
  for (const addresses of [pair, pair.slice(1)])
    assert.deepEqual(vetAddresses("a.example.com", addresses, 443, none), { addresses });
  for (const inner of ["64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::10.0.0.1"])
    assert.deepEqual(vetAddresses("a.example.com", [...pair, inner], 443, none), {
      forbidden: inner,
    });
  // A prefix that an operator chose can lead anywhere.
  const own = "64:ff9b:1::808:808";
  assert.deepEqual(vetAddresses("a.example.com", [own], 443, none), { forbidden: own });
});

test("no address at all is a refusal", () => {
  assert.deepEqual(vetAddresses("a.example.com", [], 443, none), { forbidden: "no address" });
});

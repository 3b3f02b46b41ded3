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

test("no address at all is a refusal", () => {
  assert.deepEqual(vetAddresses("a.example.com", [], 443, none), { forbidden: "no address" });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutWords } from "./delivery-words.ts";

test("an amount that was reported as a number stands in the log like one that was reported as a text", () => {
  for (const amount of [4.99, "4.99"]) {
    const details = { buyerName: "Jo", amount, currency: "EUR" };
    assert.deepEqual(aboutWords({ details, version: null }), ["Jo", "4.99 EUR"]);
  }
  assert.deepEqual(aboutWords({ details: { amount: 0 }, version: "1.1" }), ["0", "1.1"]);
  assert.deepEqual(aboutWords({ details: { amount: [], currency: null }, version: null }), []);
});

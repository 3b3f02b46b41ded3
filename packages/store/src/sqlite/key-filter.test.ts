import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { KeyFilter } from "./key-filter.ts";

const key = (name: string): Uint8Array => hash("sha256", name, "buffer").subarray(0, 16);

test("a filter has every key that was added, and few of those that were not", () => {
  const filter = new KeyFilter();
  assert.equal(filter.mayHave(key("absent")), false, "an empty one has none");
  // Two parts: the first takes 87,381.
  for (let no = 0; no < 150_000; no += 1) filter.add(key(`key ${no}`));
  let wrong = 0;
  for (let no = 0; no < 150_000; no += 1) {
    assert.ok(filter.mayHave(key(`key ${no}`)));
    if (filter.mayHave(key(`absent ${no}`))) wrong += 1;
  }
  assert.ok(wrong < 0.02 * 150_000, `${wrong} of 150000`);
});

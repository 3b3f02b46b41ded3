import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "./create-client.ts";

/** Plain JavaScript may pass what is not there. Then `forOwner` saw and touched what is everybody's. */
test("without an owner's id nothing acts for an owner", () => {
  const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "mh_a" });
  for (const missing of [undefined, null, ""]) {
    assert.throws(() => client.forOwner(missing as string), /forOwner needs the owner's id/);
  }
  client.forOwner("1001");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleResult } from "../testing/samples.ts";
import { scrub } from "./scrub.ts";

test("nothing that came back keeps the secret, and what has none stays byte for byte", () => {
  const url = "https://discord.com/api/webhooks/1/toptoken";
  const clean = scrub(
    sampleResult({
      detail: `cannot reach ${url}`,
      headers: [["Location", `${url}/slack`]],
      body: Buffer.from(`<a href="${url}">`),
    }),
    "toptoken",
  );
  assert.ok(!JSON.stringify({ ...clean, body: clean.body.toString() }).includes("toptoken"));
  assert.deepEqual(clean.headers, [["Location", "https://discord.com/api/webhooks/1/…/slack"]]);
  const bytes = Buffer.from([0xff, 0x00, 0x80]);
  assert.equal(scrub(sampleResult({ body: bytes }), "toptoken").body, bytes);
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withContact } from "./security-contact.ts";

const policy = readFileSync(join(import.meta.dirname, "..", "SECURITY.md"), "utf8");

test("who publishes names a contact, and the policy has it in place of the repository's", () => {
  assert.equal(withContact(policy, undefined), policy);
  for (const contact of ["mailto:security@market.example", "https://market.example/security"]) {
    const named = withContact(policy, contact);
    assert.ok(
      named.includes(`Report what you found privately, to <${contact}>,`),
      named.slice(0, 300),
    );
    assert.ok(!named.includes("where this repository is hosted"));
  }
  for (const wrong of ["", "security@market.example", "http://market.example", "mailto:a@b c"]) {
    assert.throws(() => withContact(policy, wrong), /neither mailto:/);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRORS } from "@markethook/protocol";
import { ImportedSecret } from "../schemas/fields.ts";
import { createItemCheck } from "./validation.ts";

test("a value of a forbidden form is told by its code's title, and not as one that must not be valid", () => {
  const check = createItemCheck(ImportedSecret);
  assert.deepEqual(check("whsk_c2VjcmV0"), {
    code: "secret_invalid",
    pointer: "",
    detail: ERRORS.secret_invalid.title,
  });
  assert.equal(check("c2VjcmV0"), null);
});

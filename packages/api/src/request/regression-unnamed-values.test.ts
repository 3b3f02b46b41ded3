import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { rejectedResult } from "../input/import-batch.ts";
import { RECORD_KINDS } from "../schemas/import.ts";
import { EventItem } from "../schemas/event.ts";
import { withAdvice } from "./problem.ts";
import { createItemCheck } from "./validation.ts";

const webhook = { kind: "webhook", resourceId: "castle", url: "https://bot.example/", secret: "s" };
const update = { version: "1", id: "u1", fileType: "zip", title: "", description: "" };

test("a value that is none of a few is told which they are", () => {
  assert.equal(
    detailOf(RECORD_KINDS.webhook, { ...webhook, state: "disabled" }),
    "The value must be one of active, paused.",
  );
  assert.match(
    detailOf(RECORD_KINDS.webhook, { ...webhook, events: ["invoice.paid"] }),
    /^The value must be one of product\.update, product\.user\.purchase, /,
  );
});

test("a value that fits no form of a union is told the forms", () => {
  const event = { event: "product.update", resourceId: "castle" };
  assert.equal(
    detailOf(EventItem, { ...event, update: { ...update, size: "1 MB" } }),
    'The value must match pattern "^[0-9]{1,20}$", or must be integer.',
  );
  const deep = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]);
  assert.match(detailOf(deep, { a: 1 }), /^The value /);
});

test("an id is told its form in words, once", () => {
  const detail = detailOf(RECORD_KINDS.webhook, { ...webhook, resourceId: "a b" });
  assert.match(detail, /^A resource id is 1 to 128 characters of /);
  assert.equal(withAdvice("resource_id_invalid", detail), "Use an id of that form.");
  const rejected = rejectedResult({ code: "resource_id_invalid", detail }, 0);
  assert.equal(rejected.detail, "Use an id of that form.");
});

function detailOf(schema: Parameters<typeof createItemCheck>[0], value: unknown): string {
  return createItemCheck(schema)(value)?.detail ?? "";
}

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { isMarkethookError } from "@markethook/protocol";
import { createCursors, type CursorBinding } from "./cursor.ts";

const cursors = createCursors(randomBytes(32));
const binding: CursorBinding = { list: "deliveries", ownerId: "o-1", filter: { state: "dead" } };
const refused = (error: unknown) => isMarkethookError(error, "cursor_invalid");

test("a cursor opens where it was made", () => {
  const cursor = cursors.write(binding, [42, "map-1"]);
  assert.match(cursor, /^[A-Za-z0-9_-]+$/);
  assert.deepEqual(cursors.read(binding, cursor), [42, "map-1"]);
});

test("a cursor opens for no other list, owner or filter", () => {
  const cursor = cursors.write(binding, [42]);
  const others: CursorBinding[] = [
    { ...binding, list: "webhooks" },
    { ...binding, ownerId: "o-2" },
    { ...binding, ownerId: null },
    { ...binding, filter: { state: "delivered" } },
    { ...binding, filter: null },
  ];
  for (const other of others) assert.throws(() => cursors.read(other, cursor), refused);
});

test("a cursor of another key does not open", () => {
  const foreign = createCursors(randomBytes(32)).write(binding, [42]);
  assert.throws(() => cursors.read(binding, foreign), refused);
});

test("a cursor has one spelling", () => {
  const cursor = cursors.write(binding, [42]);
  for (const other of [`${cursor}=`, `${cursor}!`, ` ${cursor}`, cursor.replace(/.$/, "$&\0")]) {
    assert.throws(() => cursors.read(binding, other), refused, other);
  }
  const standard = Buffer.from(cursor, "base64url").toString("base64");
  if (standard !== cursor) assert.throws(() => cursors.read(binding, standard), refused);
});

test("no made-up or altered cursor opens", () => {
  const cursor = cursors.write(binding, [42]);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.nat(cursor.length - 2)), (made) => {
      const text =
        typeof made === "string"
          ? made
          : cursor.slice(0, made) + (cursor[made] === "A" ? "B" : "A") + cursor.slice(made + 1);
      assert.throws(() => cursors.read(binding, text), refused);
    }),
    { numRuns: 500 },
  );
});

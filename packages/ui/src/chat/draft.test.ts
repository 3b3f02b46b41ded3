import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatOptions } from "@markethook/chat";
import { isChanged, sameOptions, withDefault, withMember } from "./draft.ts";

const NONE: ChatOptions = { messages: {}, refunds: "post", threadId: null };

test("what is as by default leaves nothing behind", () => {
  const titled = withMember(NONE, "ping", "title", "Hello");
  assert.deepEqual(titled.messages, { ping: { title: "Hello" } });
  assert.ok(isChanged(titled, "ping") && !isChanged(titled, "product.update"));
  const coloured = withMember(titled, "ping", "colour", 0);
  assert.deepEqual(coloured.messages, { ping: { title: "Hello", colour: 0 } });
  assert.deepEqual(withMember(titled, "ping", "title", undefined), NONE);
  assert.deepEqual(withDefault(coloured, "ping"), NONE);
  assert.deepEqual(NONE.messages, {});
});

test("options are the same in whatever order they are written", () => {
  const one = withMember(withMember(NONE, "ping", "title", "a"), "ping", "text", "b");
  const other = withMember(withMember(NONE, "ping", "text", "b"), "ping", "title", "a");
  assert.ok(sameOptions(one, other));
  assert.ok(!sameOptions(one, NONE));
});

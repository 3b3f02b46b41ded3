import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ErrorCode,
  errorEntry,
  ERRORS,
  isMarkethookError,
  MarkethookError,
} from "./errors.ts";

// Object.keys of a constant table gives exactly its keys.
const CODES = Object.keys(ERRORS) as ErrorCode[];

test("every code is in snake case and says what is wrong and what to do, in sentences", () => {
  for (const code of CODES) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/);
    const { title, advice, status } = errorEntry(code);
    assert.match(title, /^\S.*[^.]\.$/, code);
    assert.match(advice, /^\S.*[^.]\.$/, code);
    assert.doesNotMatch(title, /[\n\r]/, code);
    if (status !== undefined) assert.ok(status >= 400 && status <= 599, code);
  }
});

test("no two codes say the same", () => {
  const titles = CODES.map((code) => errorEntry(code).title);
  assert.equal(new Set(titles).size, titles.length);
});

test("an error's message is its detail, or else its title, and the advice", () => {
  assert.equal(
    new MarkethookError("secret_missing").message,
    `${ERRORS.secret_missing.title} ${ERRORS.secret_missing.advice}`,
  );
  const error = new MarkethookError("secret_missing", { detail: "Nothing here.", pointer: "/a" });
  assert.equal(error.message, `Nothing here. ${ERRORS.secret_missing.advice}`);
  assert.equal(error.detail.pointer, "/a");
  assert.equal("cause" in error, false);
});

test("an error carries what caused it", () => {
  const cause = new Error("below");
  assert.equal(new MarkethookError("internal", { cause }).cause, cause);
});

test("an error of another copy of this package is recognised by name and code", () => {
  const foreign = Object.assign(new Error("x"), { name: "MarkethookError", code: "not_found" });
  assert.ok(isMarkethookError(foreign));
  assert.ok(isMarkethookError(foreign, "not_found"));
  assert.equal(isMarkethookError(foreign, "internal"), false);
  assert.equal(isMarkethookError(new Error("x")), false);
  assert.equal(isMarkethookError({ name: "MarkethookError", code: "not_found" }), false);
  assert.equal(isMarkethookError(undefined), false);
});

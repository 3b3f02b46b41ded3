import assert from "node:assert/strict";
import { test } from "node:test";
import { setMember } from "./sample-request.ts";

function envelope() {
  return {
    event: "ping",
    time: 1,
    nonce: "n",
    payload: { user: { id: 1 }, update: { size: "10" } },
  };
}

test("a path leads into the payload, or into the envelope where it begins with one of its members", () => {
  const made = envelope();
  for (const one of [
    "user.id=42",
    "update.size=77",
    "payload.user.name=Zoë=x",
    "time=5",
    "event=testEvent",
  ]) {
    setMember(made, one);
  }
  assert.deepEqual(made, {
    event: "testEvent",
    time: 5,
    nonce: "n",
    payload: { user: { id: 42, name: "Zoë=x" }, update: { size: "77" } },
  });
});

test("what is no path=value, or leads nowhere, is refused", () => {
  for (const one of [
    "",
    "user.id",
    "=1",
    "a..b=1",
    "nobody.id=1",
    "user.id.more=1",
    "__proto__.x=1",
  ]) {
    assert.throws(() => setMember(envelope(), one), { name: "CommandFailure", exitCode: 2 }, one);
  }
});

test("a member called __proto__ is only a member", () => {
  const made = envelope();
  setMember(made, "user.__proto__=1");
  assert.match(JSON.stringify(made), /"__proto__":1/);
  assert.equal(Object.getPrototypeOf(made.payload.user), Object.prototype);
});

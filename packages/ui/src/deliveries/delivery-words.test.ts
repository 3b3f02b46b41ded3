import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeWords } from "./delivery-words.ts";

test("nobody whose webhook writes to a chat is told to look after a server", () => {
  for (const outcome of ["http_error", "timeout", "connection_refused", "dns_failure", "ok"]) {
    for (const sent of [true, false, null]) {
      const { title, next } = outcomeWords(outcome, { sent, isChat: true });
      assert.match(title, /chat/);
      assert.doesNotMatch(next, /server/i);
    }
  }
});

test("where it is not known whether a request left, nothing is said of the connection or the reply", () => {
  const about = (sent: boolean | null) => outcomeWords("timeout", { sent, isChat: false });
  assert.equal(about(true).title, "Your server took too long");
  assert.equal(about(false).title, "No connection was made in time");
  assert.deepEqual(about(null), { title: "Took too long", next: "" });
});

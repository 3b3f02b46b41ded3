import assert from "node:assert/strict";
import { test } from "node:test";
import { fateOf, outcomeWords } from "./delivery-words.ts";

test("nobody whose webhook writes to a chat is told to look after a server", () => {
  for (const outcome of ["http_error", "timeout", "connection_refused", "dns_failure", "ok"]) {
    for (const sent of [true, false, null]) {
      const { title, next } = outcomeWords({
        outcome,
        sent,
        status: null,
        isChat: true,
        fate: "open",
      });
      assert.match(title, /chat/);
      assert.doesNotMatch(next, /server/i);
    }
  }
});

const unsent = (fate: "open" | "over" | "test") =>
  ({ sent: false, status: null, isChat: false, fate }) as const;

test("a reply of 401, 403, 404, 405 or 419 says more than another error, whatever was sent", () => {
  for (const fate of ["open", "over", "test"] as const) {
    const about = (status: number | null, isChat = false) =>
      outcomeWords({ outcome: "http_error", sent: true, status, isChat, fate }).next;
    assert.match(about(401), /signature/);
    // A receiver's clock refuses requests as well as a wrong secret does.
    assert.match(about(401), /clock/);
    assert.match(about(403), /signature/);
    assert.match(about(403), /CSRF/);
    assert.match(about(404), /path/);
    assert.match(about(405), /POST/);
    assert.match(about(419), /CSRF/);
    assert.match(
      outcomeWords({ outcome: "tls_failure", ...unsent(fate) }).next,
      /client certificate/,
    );
    assert.match(about(500), /log/);
    assert.doesNotMatch(about(401, true), /signature/);
  }
});

test("a server that takes the connection and stalls its encryption is not looked for behind a firewall", () => {
  const timings = { tlsMs: 15_000 };
  const { title, next } = outcomeWords({ outcome: "timeout", ...unsent("open"), timings });
  assert.equal(title, "No encrypted connection was made in time");
  assert.match(next, /TLS/);
  assert.doesNotMatch(next, /firewall/);
  const before = outcomeWords({ outcome: "timeout", ...unsent("open"), timings: { tlsMs: null } });
  assert.match(before.next, /firewall/);
});

test("where it is not known whether a request left, nothing is said of the connection or the reply", () => {
  const about = (sent: boolean | null) =>
    outcomeWords({ outcome: "timeout", sent, status: null, isChat: false, fate: "open" });
  assert.equal(about(true).title, "Your server took too long");
  assert.equal(about(false).title, "No connection was made in time");
  assert.deepEqual(about(null), { title: "Took too long", next: "" });
});

test("only of a delivery that goes again by itself is it said", () => {
  const again = /delivery is sent again|later by itself/;
  for (const isChat of [true, false]) {
    for (const outcome of ["throttled", "outcome_unknown", "http_error", "timeout", "stopped"]) {
      for (const fate of ["over", "test"] as const) {
        assert.doesNotMatch(
          outcomeWords({ outcome, sent: true, status: null, isChat, fate }).next,
          again,
        );
      }
    }
  }
  assert.match(
    outcomeWords({ outcome: "throttled", sent: true, status: null, isChat: false, fate: "open" })
      .next,
    again,
  );
});

test("a ping's reply is not said to have disabled a server's webhook", () => {
  for (const outcome of ["gone", "disabled_by_receiver"]) {
    const about = { sent: true, status: null, isChat: false } as const;
    assert.match(outcomeWords({ outcome, ...about, fate: "over" }).next, /Resume/);
    assert.match(outcomeWords({ outcome, ...about, fate: "test" }).next, /A ping disables nothing/);
  }
  assert.equal(fateOf({ event: "ping", state: "dead" }), "test");
  assert.equal(fateOf({ event: "product.update", state: "dead" }), "over");
  assert.equal(fateOf({ event: "product.update", state: "pending" }), "open");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectConfig } from "./config.ts";

const faultsOf = (name: string, value: string) =>
  inspectConfig({ [name]: value }).faults.map((fault) => fault.name);

test("proxies are addresses and CIDRs, and what is neither is refused with all other faults", () => {
  const name = "MARKETHOOK_TRUST_PROXY";
  for (const right of [
    "false",
    "127.0.0.1",
    "127.0.0.1, 10.0.0.0/24",
    "::1,2001:db8::/32",
    "::ffff:10.0.0.1",
    "10.0.0.1/32",
  ]) {
    assert.deepEqual(faultsOf(name, right), [], right);
  }
  for (const wrong of [
    "abc",
    "-1",
    "10.0.0.0/99",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "127.0.0.1,",
    " ",
    "0.0.0.0/0",
    "::/0",
    "2001:db8::/129",
  ]) {
    assert.deepEqual(faultsOf(name, wrong), [name], wrong);
  }
});

test("the host to listen on is an address or a name", () => {
  const name = "MARKETHOOK_HOST";
  for (const right of ["0.0.0.0", "::", "fe80::1%eth0", "localhost", "hooks_1.internal", "a-b"]) {
    assert.deepEqual(faultsOf(name, right), [], right);
  }
  for (const wrong of ["-1", " 5 ", "[::1]", "a..b", "http://a", "127.0.0.1:80", "a/b"]) {
    assert.deepEqual(faultsOf(name, wrong), [name], wrong);
  }
});

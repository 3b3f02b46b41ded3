import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { freePort } from "./free-port.ts";

/** A program that was told its port could not listen: while it started, a test in another process had been given it. */
test("a port for a program is none that the system gives to programs that ask for any", async (t) => {
  if (process.platform !== "linux") return t.skip("only Linux tells which ports it gives");
  const range = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
  const [first = 0] = range.split(/\s+/).map(Number);
  if (first < 32_768) return t.skip(`this system gives ports from ${first} on`);
  for (let times = 0; times < 20; times += 1) {
    const port = await freePort();
    assert.ok(port < first, `${port} of ${first}`);
  }
});

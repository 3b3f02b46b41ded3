/** A service asked the name servers of its start for ever, also after /etc/resolv.conf had been changed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createResolver, ResolveError } from "./resolver.ts";
import { startNameServer } from "./testing/name-server.ts";

test("once its name servers fail, it asks those that the system has by then", async (t) => {
  let clock = 0;
  const servers = ["127.0.0.1:1"];
  const resolver = createResolver({ now: () => clock, servers, budgetMs: 600 });
  await assert.rejects(resolver.resolve("a.example.com"), ResolveError);
  const server = await startNameServer(t, () => ({ addresses: ["93.184.216.34"] }));
  servers[0] = server.address;
  // It looks no more often than each second.
  clock += 1000;
  await assert.rejects(resolver.resolve("b.example.com"), ResolveError);
  assert.deepEqual(await resolver.resolve("c.example.com"), ["93.184.216.34"]);
});

test("a name that is not there is no reason to look for other servers", async (t) => {
  const NXDOMAIN = 3;
  const server = await startNameServer(t, () => ({ code: NXDOMAIN }));
  const other = await startNameServer(t, () => ({ addresses: ["93.184.216.34"] }));
  const servers = [server.address];
  const resolver = createResolver({ now: () => performance.now(), servers });
  servers[0] = other.address;
  for (const name of ["a.example.com", "b.example.com"]) {
    await assert.rejects(resolver.resolve(name), ResolveError);
  }
  assert.deepEqual(other.questions, []);
});

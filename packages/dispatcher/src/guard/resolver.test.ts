import assert from "node:assert/strict";
import { test } from "node:test";

import { HANGS_MS, inTime, PATIENT_MS } from "./testing/in-time.ts";
import { type Reply, startNameServer, type Zone } from "./testing/name-server.ts";
import { createResolver, ResolveError, type ResolverOptions } from "./resolver.ts";

const NXDOMAIN = 3;
const SERVFAIL = 2;

async function resolverFor(
  t: Parameters<typeof startNameServer>[0],
  zone: Zone,
  options: Partial<ResolverOptions> = {},
) {
  const server = await startNameServer(t, zone);
  const resolver = createResolver({
    now: () => performance.now(),
    servers: [server.address],
    budgetMs: PATIENT_MS,
    ...options,
  });
  return { resolver, questions: server.questions };
}

test("both families are asked, IPv4 stands first", async (t) => {
  const { resolver, questions } = await resolverFor(t, () => ({
    addresses: ["2606:4700::1", "93.184.216.34"],
  }));
  assert.deepEqual(await resolver.resolve("a.example.com"), ["93.184.216.34", "2606:4700::1"]);
  assert.deepEqual(questions.toSorted(), ["a.example.com/4", "a.example.com/6"]);
});

test("a name with IPv6 only is resolved", async (t) => {
  const { resolver } = await resolverFor(t, () => ({ addresses: ["2606:4700::1"] }));
  assert.deepEqual(await resolver.resolve("a.example.com"), ["2606:4700::1"]);
});

test("localhost and literal addresses need no name server", async () => {
  const resolver = createResolver({ now: () => 0, servers: ["127.0.0.1:1"] });
  for (const name of ["localhost", "shop.localhost"]) {
    assert.deepEqual(await resolver.resolve(name), ["127.0.0.1", "::1"]);
  }
  assert.deepEqual(await resolver.resolve("10.0.0.1"), ["10.0.0.1"]);
});

test("an answer of another resolver is taken over for 30 seconds, but not of what needs no name server", async (t) => {
  let clock = 1000;
  const { resolver, questions } = await resolverFor(
    t,
    () => ({ addresses: ["93.184.216.34"], ttl: 60 }),
    { now: () => clock },
  );
  await resolver.resolve("a.example.com");
  for (const host of ["a.example.com", "localhost", "10.0.0.1"]) resolver.learn(host, ["8.8.8.8"]);
  assert.deepEqual(resolver.known("a.example.com"), ["8.8.8.8"]);
  assert.deepEqual(resolver.known("localhost"), ["127.0.0.1", "::1"]);
  assert.deepEqual(resolver.known("10.0.0.1"), ["10.0.0.1"]);
  clock += 30_001;
  assert.deepEqual(await resolver.resolve("a.example.com"), ["93.184.216.34"]);
  assert.equal(questions.length, 4);
});

test("lookups of one name at the same time share their questions", async (t) => {
  const { resolver, questions } = await resolverFor(t, () => ({ addresses: ["93.184.216.34"] }));
  await Promise.all(Array.from({ length: 50 }, () => resolver.resolve("a.example.com")));
  assert.equal(questions.length, 2);
});

test("an answer is kept for its TTL, for 30 seconds at most and a second at least", async (t) => {
  const ttls = { "short.example.com": 5, "long.example.com": 86_400, "zero.example.com": 0 };
  let clock = 1000;
  const { resolver, questions } = await resolverFor(
    t,
    (name) => ({ addresses: ["93.184.216.34"], ttl: ttls[name as keyof typeof ttls] }),
    { now: () => clock },
  );
  for (const [name, keptMs] of [
    ["short.example.com", 5000],
    ["long.example.com", 30_000],
    ["zero.example.com", 1000],
  ] as const) {
    await resolver.resolve(name);
    const asked = questions.length;
    clock += keptMs - 1;
    await resolver.resolve(name);
    assert.equal(questions.length, asked, `${name} still known`);
    clock += 2;
    await resolver.resolve(name);
    assert.ok(questions.length > asked, `${name} asked again`);
  }
});

test("a rebound name shows its new address once the answer has run out", async (t) => {
  let clock = 1;
  let address = "93.184.216.34";
  const { resolver } = await resolverFor(t, () => ({ addresses: [address], ttl: 1 }), {
    now: () => clock,
  });
  assert.deepEqual(await resolver.resolve("a.example.com"), ["93.184.216.34"]);
  address = "10.0.0.1";
  clock += 1001;
  assert.deepEqual(await resolver.resolve("a.example.com"), ["10.0.0.1"]);
});

test("every one of many addresses is answered, so that every one can be judged", async (t) => {
  const addresses = Array.from({ length: 25 }, (_, index) => `93.184.216.${index + 1}`);
  const { resolver } = await resolverFor(t, () => ({ addresses }));
  assert.equal((await resolver.resolve("a.example.com")).length, 25);
});

test("no such name, a failing server and no address at all are DNS failures that say which", async (t) => {
  const { resolver } = await resolverFor(t, (name) => {
    if (name.startsWith("none")) return { code: NXDOMAIN };
    return name.startsWith("fail") ? { code: SERVFAIL } : { addresses: [] };
  });
  for (const [name, code] of [
    ["none.example.com", "ENOTFOUND"],
    ["fail.example.com", "ESERVFAIL"],
    ["empty.example.com", "ENODATA"],
  ] as const) {
    await assert.rejects(resolver.resolve(name), (error) => {
      assert.ok(error instanceof ResolveError);
      assert.equal(error.category, "dns_failure");
      assert.ok(error.message.includes(code), error.message);
      return true;
    });
  }
});

test("a failure is kept for a second, so that deliveries to a name that leads nowhere are no flood of questions", async (t) => {
  let known = false;
  let clock = 1000;
  const { resolver, questions } = await resolverFor(
    t,
    () => (known ? { addresses: ["93.184.216.34"] } : { code: NXDOMAIN }),
    { now: () => clock },
  );
  await assert.rejects(resolver.resolve("a.example.com"));
  known = true;
  const asked = questions.length;
  await assert.rejects(resolver.resolve("a.example.com"), ResolveError);
  assert.equal(questions.length, asked);
  clock += 1001;
  assert.deepEqual(await resolver.resolve("a.example.com"), ["93.184.216.34"]);
});

test("what is known is what resolving would answer now, and nothing is asked for it", async (t) => {
  let clock = 1000;
  const { resolver, questions } = await resolverFor(
    t,
    (name) =>
      name.startsWith("none")
        ? { code: NXDOMAIN }
        : { addresses: ["93.184.216.34", "2606:4700::1"], ttl: 5 },
    { now: () => clock },
  );
  assert.equal(resolver.known("a.example.com"), undefined);
  assert.deepEqual(resolver.known("localhost"), ["127.0.0.1", "::1"]);
  assert.deepEqual(resolver.known("10.0.0.1"), ["10.0.0.1"]);
  assert.deepEqual(questions, []);
  const addresses = await resolver.resolve("a.example.com");
  await assert.rejects(resolver.resolve("none.example.com"));
  assert.deepEqual(resolver.known("a.example.com"), addresses);
  assert.deepEqual(resolver.known("none.example.com"), []);
  clock += 5001;
  assert.equal(resolver.known("a.example.com"), undefined);
  assert.equal(resolver.known("none.example.com"), undefined);
});

test("questions about many names at once overflow no name server: all are answered, and few are asked again", async (t) => {
  const { resolver, questions } = await resolverFor(t, () => ({ addresses: ["93.184.216.34"] }));
  const names = Array.from({ length: 3000 }, (_, index) => `n${index}.example.com`);
  const answers = await Promise.all(names.map((name) => resolver.resolve(name)));
  assert.equal(answers.length, names.length);
  assert.ok(questions.length < 2.2 * names.length, `${questions.length} questions`);
});

test("a silent server costs the budget and no more", async (t) => {
  const { resolver } = await resolverFor(t, () => "silence", { budgetMs: 150 });
  await assert.rejects(inTime(resolver.resolve("a.example.com")), /no answer in time/);
});

test("a server that is silent about IPv6 does not use up the budget", async (t) => {
  const end = Promise.withResolvers<Reply>();
  const { resolver } = await resolverFor(
    t,
    (_name, family) => (family === 6 ? end.promise : { addresses: ["93.184.216.34"] }),
    { budgetMs: 2 * HANGS_MS, otherFamilyMs: 30 },
  );
  const addresses = await inTime(resolver.resolve("a.example.com"));
  assert.deepEqual(addresses, ["93.184.216.34"]);
  // An open question would keep this process alive.
  end.resolve({ code: NXDOMAIN });
  await resolver.resolve("b.example.com");
});

test("R10: a thousand names of a silent server do not hold up another name", async (t) => {
  // So many at once that their answers, at the end, overflow no socket.
  const ends = Array.from({ length: 20 }, () => Promise.withResolvers<Reply>());
  const { resolver } = await resolverFor(
    t,
    (name) => {
      const [, part] = /^silent\d+-(\d+)\./.exec(name) ?? [];
      return ends[Number(part)]?.promise ?? { addresses: ["93.184.216.34"] };
    },
    { budgetMs: HANGS_MS },
  );
  let ended = 0;
  const silent = ends.map((_, part) =>
    Array.from({ length: 50 }, async (_name, index) => {
      await assert.rejects(resolver.resolve(`silent${index}-${part}.example.com`), ResolveError);
      ended += 1;
    }),
  );
  for (let index = 0; index < 10; index += 1) await resolver.resolve(`good${index}.example.com`);
  assert.equal(ended, 0, "the other names did not wait for any of the silent ones");
  for (const [part, { resolve }] of ends.entries()) {
    resolve({ code: NXDOMAIN });
    await Promise.all(silent[part] ?? []);
  }
});

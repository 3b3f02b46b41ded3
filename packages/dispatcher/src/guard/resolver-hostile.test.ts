import assert from "node:assert/strict";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { test, type TestContext } from "node:test";

import { createResolver, type Resolver, ResolveError } from "./resolver.ts";
import { inTime, PATIENT_MS } from "./testing/in-time.ts";
import { startNameServer, type Zone } from "./testing/name-server.ts";

/** Of a resolver that gets no answer that it can use. */
const HASTY_MS = 600;

/** R10: name servers that are slow, broken or hostile. Bytes instead of an answer: what is sent back as it is. */
async function resolverOver(t: TestContext, zone: Zone, budgetMs = HASTY_MS): Promise<Resolver> {
  const { address } = await startNameServer(t, zone);
  return createResolver({ now: () => performance.now(), servers: [address], budgetMs });
}

async function rawServer(
  t: TestContext,
  reply: (query: Buffer) => Buffer[],
  overTcp: (query: Buffer) => Buffer = () => Buffer.alloc(0),
  budgetMs = HASTY_MS,
): Promise<Resolver> {
  const { socket, stream, port } = await bindBoth(t);
  socket.on("message", (query, from) => {
    for (const bytes of reply(query)) socket.send(bytes, from.port, from.address);
  });
  stream.on("connection", (connection) => {
    t.after(() => connection.destroy());
    connection.on("error", () => {});
    connection.on("data", (query: Buffer) => connection.write(overTcp(query)));
  });
  const servers = [`127.0.0.1:${port}`];
  return createResolver({ now: () => performance.now(), servers, budgetMs });
}

/** The port that is free for datagrams may be taken for streams: then another one. */
async function bindBoth(t: TestContext): Promise<{ socket: Socket; stream: Server; port: number }> {
  for (;;) {
    const socket = createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    const { port } = socket.address();
    const stream = createServer().listen(port, "127.0.0.1");
    try {
      await once(stream, "listening");
    } catch {
      socket.close();
      continue;
    }
    t.after(() => {
      socket.close();
      stream.close();
    });
    return { socket, stream, port };
  }
}

/** The query as an answer with so many records, all of one address. */
function answered(query: Buffer, records: number, flags = 0x8180): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const head = Buffer.from(query.subarray(0, end));
  const isIpv4 = query.readUInt16BE(end - 4) === 1;
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(isIpv4 ? records : 0, 6);
  head.writeUInt32BE(0, 8);
  const all = Array.from({ length: isIpv4 ? records : 0 }, (_, index) => {
    const record = Buffer.from("c00c000100010000003c00045db80000", "hex");
    record.writeUInt16BE(index, 14);
    return record;
  });
  return Buffer.concat([head, ...all]);
}

async function failsInTime(resolver: Resolver, name = "a.example.com"): Promise<void> {
  await assert.rejects(inTime(resolver.resolve(name)), ResolveError);
}

test("R10: names that do not exist, and servers that fail or refuse, are DNS failures", async (t) => {
  for (const code of [1, 2, 3, 4, 5]) await failsInTime(await resolverOver(t, () => ({ code })));
});

test("R10: an alias that leads to itself, or to nothing, is a DNS failure", async (t) => {
  for (const cname of ["a.example.com", "nowhere.example.com"]) {
    await failsInTime(await resolverOver(t, () => ({ addresses: [], cname })));
  }
});

test("R10: an alias brings the addresses that stand with it", async (t) => {
  const zone: Zone = () => ({ addresses: ["127.0.0.1"], cname: "localhost" });
  const resolver = await resolverOver(t, zone, PATIENT_MS);
  assert.deepEqual(await resolver.resolve("a.example.com"), ["127.0.0.1"]);
});

test("R10: a server that needs a while is waited for within the budget", async (t) => {
  const late: Buffer[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    late.push(query);
    setTimeout(() => socket.send(answered(query, 1), from.port, from.address), 250);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  t.after(() => socket.close());
  const servers = [`127.0.0.1:${socket.address().port}`];
  const resolver = createResolver({
    now: () => performance.now(),
    servers,
    budgetMs: PATIENT_MS,
  });
  assert.deepEqual(await resolver.resolve("a.example.com"), ["93.184.0.0"]);
});

/** All its answers come over TCP, and have so many addresses. */
async function resolverOfMany(t: TestContext, addresses: number): Promise<Resolver> {
  return await rawServer(
    t,
    (query) => [answered(query, 0, 0x8380)],
    (query) => {
      const answer = answered(query.subarray(2), addresses);
      const size = Buffer.alloc(2);
      size.writeUInt16BE(answer.length);
      return Buffer.concat([size, answer]);
    },
    PATIENT_MS,
  );
}

test("R10: a hundred addresses come over TCP, all of them to be judged", async (t) => {
  const resolver = await resolverOfMany(t, 100);
  assert.equal((await resolver.resolve("a.example.com")).length, 100);
});

test("R10: a name with thousands of addresses leads nowhere", async (t) => {
  const resolver = await resolverOfMany(t, 2000);
  await assert.rejects(resolver.resolve("a.example.com"), {
    category: "dns_failure",
    message: "a.example.com: 2000 addresses",
  });
});

test("R10: bytes that are no answer, another question's answer and silence over TCP end in time", async (t) => {
  const wrongId = (query: Buffer): Buffer => {
    const answer = answered(query, 1);
    answer.writeUInt16BE(answer.readUInt16BE(0) ^ 0xffff, 0);
    return answer;
  };
  const wrongName = (query: Buffer): Buffer => {
    const answer = answered(query, 1);
    answer[13] = "b".charCodeAt(0);
    return answer;
  };
  for (const reply of [
    () => [Buffer.from("no answer at all")],
    () => [Buffer.alloc(0), Buffer.alloc(3, 255)],
    (query: Buffer) => [wrongId(query)],
    (query: Buffer) => [wrongName(query)],
    (query: Buffer) => [answered(query, 1).subarray(0, 40)],
    (query: Buffer) => [answered(query, 0, 0x8380)],
    (query: Buffer) => [query],
  ]) {
    await failsInTime(await rawServer(t, reply));
  }
});

test("R10: the name's case in the answer does not matter", async (t) => {
  const resolver = await rawServer(t, (query) => {
    const answer = answered(query, 1);
    answer[13] = "A".charCodeAt(0);
    return [answer];
  });
  // c-ares may take it or ask again; it must neither hang nor take another name's answer.
  const addresses = await resolver.resolve("a.example.com").catch((error: unknown) => {
    assert.ok(error instanceof ResolveError);
    return ["93.184.0.0"];
  });
  assert.deepEqual(addresses, ["93.184.0.0"]);
});

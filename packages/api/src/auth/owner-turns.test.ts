import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { createTestApp } from "../testing/test-app.ts";

const AT_ONCE = 4;

/** An app whose lists of webhooks are answered when the gate is opened. */
async function withGate(t: TestContext) {
  const { app, store, makeSession, send } = await createTestApp();
  const gate = Promise.withResolvers<void>();
  const owners: (string | null)[] = [];
  const watchers = new Map<number, () => void>();
  /** When so many lists have been asked of the store. */
  const asked = async (count: number): Promise<void> => {
    if (owners.length < count) await new Promise<void>((done) => watchers.set(count, done));
  };
  const list = store.webhooks.list.bind(store.webhooks);
  store.webhooks.list = async (filter) => {
    owners.push(filter.ownerId);
    watchers.get(owners.length)?.();
    await gate.promise;
    return await list(filter);
  };
  const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  t.after(() => app.close());
  const read = async (key: string): Promise<number> =>
    (await send({ method: "GET", url: "/v1/webhooks", key })).statusCode;
  return { port, gate, owners, asked, read, send, makeSession };
}

test("an owner's sessions read with a few requests at once, and others do not wait for them", async (t) => {
  const { gate, owners, asked, read, makeSession } = await withGate(t);
  const sessions = [await makeSession("o-1"), await makeSession("o-1")];
  const all = Array.from({ length: 20 }, (_, index) => read(sessions[index % 2] ?? ""));
  await asked(AT_ONCE);
  const other = read(await makeSession("o-2"));
  await asked(AT_ONCE + 1);
  gate.resolve();
  assert.equal(await other, 200);
  assert.deepEqual(owners.slice(0, AT_ONCE), Array(AT_ONCE).fill("o-1"));
  assert.equal(owners[AT_ONCE], "o-2", "before those of the first owner that waited");
  assert.deepEqual(await Promise.all(all), Array(20).fill(200));
});

test("requests for headers alone take turns too: they read as much", async (t) => {
  const { gate, owners, asked, read, send, makeSession } = await withGate(t);
  const session = await makeSession("o-1");
  const all = Array.from({ length: 20 }, () =>
    send({ method: "HEAD", url: "/v1/webhooks", key: session }),
  );
  await asked(AT_ONCE);
  const other = read(await makeSession("o-2"));
  await asked(AT_ONCE + 1);
  gate.resolve();
  assert.equal(await other, 200);
  assert.equal(owners[AT_ONCE], "o-2", "before those of the first owner that waited");
  const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode);
  assert.deepEqual(statuses, Array(20).fill(200));
});

test("what counts before it sends takes turns too: it reads more than a list", async (t) => {
  const { app, store, send, makeSession } = await createTestApp();
  t.after(() => app.close());
  const ids = ["wh_00000000000000000001", "wh_00000000000000000002"] as const;
  for (const [index, id] of ids.entries()) {
    const resourceId = `map-${index + 1}`;
    await store.resources.put([{ id: resourceId, ownerId: `o-${index + 1}`, title: "T" }]);
    const input = { resourceId, url: "https://r.example/", events: null, description: "" };
    await store.webhooks.create({ ...input, id, format: "json", secret: "s" }, null);
  }
  const gate = Promise.withResolvers<void>();
  const owners: (string | null)[] = [];
  const [full, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  store.log.countReplay = async ({ ownerId }) => {
    owners.push(ownerId);
    if (owners.length === AT_ONCE) full.resolve();
    if (owners.length === AT_ONCE + 1) next.resolve();
    await gate.promise;
    return { count: 0, capped: false };
  };
  const count = async (id: string, key: string): Promise<number> => {
    const url = `/v1/webhooks/${id}/replay`;
    const payload = { from: 0, to: 1, dryRun: true };
    return (await send({ method: "POST", url, payload, key })).statusCode;
  };
  const session = await makeSession("o-1");
  const all = Array.from({ length: 20 }, () => count(ids[0], session));
  await full.promise;
  const other = count(ids[1], await makeSession("o-2"));
  await next.promise;
  gate.resolve();
  assert.equal(await other, 200);
  assert.equal(owners[AT_ONCE], "o-2", "before those of the first owner that waited");
  assert.deepEqual(await Promise.all(all), Array(20).fill(200));
});

test("what waits beyond a hundred is refused, and tells when to come again", async (t) => {
  const { gate, asked, read, send, makeSession } = await withGate(t);
  const session = await makeSession("o-1");
  // The session is known then, so that the requests below keep their order.
  await send({ method: "GET", url: "/v1/portal-sessions/current", key: session });
  const all = Array.from({ length: AT_ONCE + 100 }, () => read(session));
  await asked(AT_ONCE);
  const refused = await send({ method: "GET", url: "/v1/webhooks", key: session });
  assert.deepEqual([refused.statusCode, refused.json().code], [429, "owner_limit_reached"]);
  assert.equal(refused.headers["retry-after"], "1");
  gate.resolve();
  assert.deepEqual(await Promise.all(all), Array(AT_ONCE + 100).fill(200));
});

test("requests whose connection has closed are not worked on, and give their turns back", async (t) => {
  const { port, gate, owners, asked, read, makeSession } = await withGate(t);
  const session = await makeSession("o-1");
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const request = `GET /v1/webhooks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${session}\r\n\r\n`;
  socket.write(request.repeat(60));
  await asked(AT_ONCE);
  socket.destroy();
  await once(socket, "close");
  gate.resolve();
  assert.deepEqual(
    await Promise.all(Array.from({ length: 10 }, () => read(session))),
    Array(10).fill(200),
  );
  // Node tells the first answer of the end before its socket counts as ended.
  assert.ok(owners.length <= AT_ONCE + 1 + 10, `${owners.length} of 70`);
});

test(
  "a client that goes while its session is looked up leaves no turn behind",
  { timeout: 60_000 },
  async (t) => {
    const { app, store, makeSession, send } = await createTestApp();
    const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
    t.after(() => app.close());
    const find = store.portalSessions.findByToken.bind(store.portalSessions);
    for (let gone = 0; gone < AT_ONCE; gone += 1) {
      const session = await makeSession("o-1");
      const asked = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const found = Promise.withResolvers<void>();
      store.portalSessions.findByToken = async (hash) => {
        asked.resolve();
        await gate.promise;
        return await find(hash).finally(() => setImmediate(found.resolve));
      };
      const closed = once(app.server, "connection").then(([socket]) => once(socket, "close"));
      const socket = connect(port, "127.0.0.1");
      socket.write(
        `GET /v1/webhooks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${session}\r\n\r\n`,
      );
      await asked.promise;
      socket.destroy();
      await closed;
      gate.resolve();
      await found.promise;
      store.portalSessions.findByToken = find;
    }
    const answer = await send({
      method: "GET",
      url: "/v1/webhooks",
      key: await makeSession("o-1"),
    });
    assert.equal(answer.statusCode, 200);
  },
);

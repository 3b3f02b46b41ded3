import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { ONE_LOOPBACK_ADDRESS } from "@markethook/protocol/testing";
import type { AppDeps } from "../../app-deps.ts";
import { CONNECTION_LIMITS, createTestApp } from "../../testing/test-app.ts";

const DEADLINES = { headersMs: 60, bodyMs: 90, checkMs: 10 };
const HALF = "GET /healthz HTTP/1.1\r\nHost: a\r\nX: ";
const WHOLE = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

/** `limits` differ from the usual ones. */
async function start(
  t: TestContext,
  limits: Partial<typeof CONNECTION_LIMITS>,
  change: Partial<AppDeps> = {},
) {
  const cuts: string[] = [];
  const api = await createTestApp({
    connections: { ...CONNECTION_LIMITS, ...limits },
    connectionCut: (reason) => void cuts.push(reason),
    ...change,
  });
  const port = Number(new URL(await api.app.listen({ host: "0.0.0.0", port: 0 })).port);
  const opened: Socket[] = [];
  t.after(async () => {
    for (const socket of opened) socket.destroy();
    await api.app.close();
  });

  /** Both ends, once the server has it. */
  async function open(bytes: string, localAddress = "127.0.0.1") {
    const arrived = once(api.app.server, "connection");
    const client = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true });
    opened.push(client);
    client.on("error", () => {});
    client.write(bytes);
    const [server] = (await arrived) as [Socket];
    return { client, server };
  }

  /** A whole request and its answer over this agent's connection. */
  async function fetchOver(agent: Agent): Promise<number | undefined> {
    const request = get({ port, host: "127.0.0.1", path: "/healthz", agent });
    const [response] = await once(request, "response");
    await text(response);
    return response.statusCode;
  }
  return { api, cuts, open, fetchOver, port };
}

/** A second more each time that the connections are looked at, until what is looked at for too long would be cut. */
function passingTime() {
  let seconds = 0;
  let standing = false;
  let wake = (): void => {};
  return {
    stop: () => void (standing = true),
    elapsedMs() {
      if (!standing) seconds += 1;
      wake();
      return seconds * 1000;
    },
    async pass() {
      const until = seconds + 3;
      while (seconds < until) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

test(
  "a client that keeps its end open after a 408, a 400 or a refused CONNECT is cut",
  { timeout: 60_000 },
  async (t) => {
    const { open } = await start(t, { graceMs: 20 }, { deadlines: DEADLINES });
    for (const bytes of [HALF, "nonsense\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"]) {
      const { client, server } = await open(bytes);
      client.resume();
      await once(server, "close");
    }
  },
);

test(
  "a new client gets through while stalled connections are as many as there may be",
  { timeout: 60_000 },
  async (t) => {
    const { open, fetchOver, cuts } = await start(t, { total: 10 });
    const stalled = [];
    for (let i = 0; i < 30; i += 1) stalled.push(await open(HALF));
    assert.equal(stalled.filter(({ server }) => !server.destroyed).length, 10);
    assert.equal(await fetchOver(new Agent()), 200);
    assert.equal(cuts.filter((reason) => reason === "total_full").length, 21);
  },
);

test(
  "a client that has been answered keeps its connection through a flood",
  { timeout: 60_000 },
  async (t) => {
    const { open, fetchOver } = await start(t, { total: 10 });
    const { client, server } = await open(WHOLE);
    await once(client, "data");
    for (let i = 0; i < 30; i += 1) await open(HALF);
    assert.equal(server.destroyed, false);
    client.write(WHOLE);
    await once(client, "data");
    assert.equal(await fetchOver(new Agent()), 200);
  },
);

test(
  "connections that idle make room too, those that are worked on never do",
  { timeout: 60_000 },
  async (t) => {
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const time = passingTime();
    const { api, open, fetchOver, port } = await start(
      t,
      { total: 10 },
      { elapsedMs: time.elapsedMs, deadlines: { ...DEADLINES, headersMs: 5000 } },
    );
    api.world.accept = async () => {
      await held;
      return [{ kind: "accepted", eventId: "evt_1abcdefghij", deliveries: 0 }];
    };
    await api.store.resources.put([{ id: "m", ownerId: "o", title: "T", subtitle: "" }]);
    const reported = fetch(`http://127.0.0.1:${port}/v1/resources/m/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json" },
      body: '{"event":"product.user.purchase","user":{"id":1}}',
    });
    for (let i = 0; i < 20; i += 1) {
      const { client } = await open(WHOLE);
      await once(client, "data");
      await time.pass();
    }
    assert.equal(await fetchOver(new Agent()), 200);
    answer();
    assert.equal((await reported).status, 202);
  },
);

test(
  "a client that opens many at once loses none of them for its own idle ones",
  { timeout: 60_000 },
  async (t) => {
    const time = passingTime();
    const limits = { total: 10, perAddress: 10 };
    const deadlines = { ...DEADLINES, headersMs: 5000 };
    const { open, cuts } = await start(t, limits, { elapsedMs: time.elapsedMs, deadlines });
    for (let i = 0; i < 10; i += 1) {
      const { client } = await open(WHOLE);
      await once(client, "data");
    }
    await time.pass();
    time.stop();
    const opened = [];
    for (let i = 0; i < 5; i += 1) opened.push(await open(""));
    for (const { client } of opened) {
      client.write(WHOLE);
      await once(client, "data");
    }
    assert.deepEqual([...new Set(cuts)], ["address_full"]);
  },
);

test(
  "one address has its own bound, and leaves others theirs",
  { timeout: 60_000, skip: ONE_LOOPBACK_ADDRESS },
  async (t) => {
    const { open, cuts } = await start(t, { total: 20, perAddress: 5 });
    const other = await open(HALF, "127.0.0.2");
    for (let i = 0; i < 30; i += 1) await open(HALF);
    assert.equal(other.server.destroyed, false);
    assert.deepEqual([...new Set(cuts)], ["address_full"]);
    assert.equal(cuts.length, 25);
  },
);

test(
  "empty lines between requests do not keep a connection open",
  { timeout: 60_000 },
  async (t) => {
    let minutes = 0;
    const { open, cuts } = await start(
      t,
      {},
      { elapsedMs: () => (minutes += 1) * 60_000, deadlines: { ...DEADLINES, headersMs: 5000 } },
    );
    const { client, server } = await open(WHOLE);
    await once(client, "data");
    const lines = setInterval(() => client.write("\r\n"), 5);
    await once(server, "close").finally(() => clearInterval(lines));
    assert.deepEqual(cuts, ["idle"]);
  },
);

test("an answer that nobody reads does not stay", { timeout: 60_000 }, async (t) => {
  let minutes = 0;
  const { open, cuts } = await start(
    t,
    {},
    {
      elapsedMs: () => (minutes += 1) * 60_000,
      deadlines: { ...DEADLINES, headersMs: 5000 },
      servePages: (app) => void app.get("/large", () => "x".repeat(32 * 1024 * 1024)),
    },
  );
  const { client, server } = await open("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  client.pause();
  await once(server, "close");
  assert.deepEqual(cuts, ["unread"]);
});

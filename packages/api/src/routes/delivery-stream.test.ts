import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { after, beforeEach, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { purchase, TestSender } from "../testing/test-sender.ts";

const WEBHOOK = "wh_00000000000000000001";
const started: TestApp[] = [];

let api: TestApp;
let sender: TestSender;
let address: string;
beforeEach(async () => {
  api = await createTestApp({ feed: { everyMs: 5, most: 3, mostPerOwner: 2 } });
  started.push(api);
  sender = new TestSender(api.store);
  address = await api.app.listen({ host: "127.0.0.1", port: 0 });
  const { resources, webhooks } = api.store;
  await resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const input = { url: "https://r.example/", events: null, description: "", resourceId: "map-1" };
  await webhooks.create({ ...input, id: WEBHOOK, format: "json", secret: "s" }, null);
});
after(async () => {
  for (const { app } of started) await app.close();
});

interface Reader {
  response: IncomingMessage;
  /** The next event that is no ping. */
  next(): Promise<{ event: string; data: { id?: string; state?: string } }>;
}

async function open(token: string, query = ""): Promise<Reader> {
  const request = get(`${address}/v1/deliveries/stream${query}`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.setEncoding("utf8");
  const chunks: AsyncIterator<string> = response[Symbol.asyncIterator]();
  let text = "";
  return {
    response,
    async next() {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end < 0) {
          const { done, value } = await chunks.next();
          if (done === true) throw new Error(`the stream ended: ${text}`);
          text += value;
          continue;
        }
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        const [id, event, data] = lines.map((line) => line.slice(line.indexOf(": ") + 2));
        assert.match(id ?? "", /^\d+$/);
        return { event: event ?? "", data: JSON.parse(data ?? "") };
      }
    },
  };
}

/** Revokes the newest one. */
async function revokeSessionOf(ownerId: string): Promise<void> {
  const [session] = await api.store.portalSessions.list({ ownerId, limit: 2 });
  assert.ok(await api.store.portalSessions.revoke(session?.id ?? ""));
}

test("a stream tells of a delivery when it is made and when it changes, and of none from before", async () => {
  await sender.fail(purchase("map-1", 7));
  const reader = await open(await api.makeSession("o-1"));
  assert.equal(reader.response.headers["content-type"], "text/event-stream; charset=utf-8");
  assert.equal(reader.response.headers["cache-control"], "no-store");
  const delivery = await sender.lease(purchase("map-1", 7));
  const made = await reader.next();
  assert.deepEqual(
    [made.event, made.data.id, made.data.state],
    ["delivery", delivery.id, "leased"],
  );
  await sender.deliver(delivery);
  assert.equal((await reader.next()).data.state, "delivered");
  reader.response.destroy();
});

test("a foreign session's stream is told nothing of it", async () => {
  const foreign = await open(await api.makeSession("o-2"));
  const own = await open(await api.makeSession("o-1"));
  await sender.lease(purchase("map-1", 7));
  assert.equal((await own.next()).event, "delivery");
  await revokeSessionOf("o-2");
  // Its first word is its last.
  assert.equal((await foreign.next()).event, "end");
  own.response.destroy();
});

test("a stream ends with its session, whether that expires or is revoked, and with the service", async () => {
  const expiring = await open(await api.makeSession("o-1"));
  api.world.nowMs += 1;
  const revoked = await open(await api.makeSession("o-1"));
  await revokeSessionOf("o-1");
  assert.equal((await revoked.next()).event, "end");
  api.world.nowMs += 3_600_000;
  assert.equal((await expiring.next()).event, "end");
  const last = await open(await api.makeSession("o-1"));
  await Promise.all([api.app.close(), last.next().then(({ event }) => assert.equal(event, "end"))]);
});

test("streams are bounded, in all and of all sessions of one owner, and a closed one makes room", async () => {
  const one = await api.makeSession("o-1");
  const readers = [await open(one), await open(await api.makeSession("o-1"))];
  const ask = async (token: string) =>
    await fetch(`${address}/v1/deliveries/stream?ownerId=o-1`, {
      headers: { authorization: `Bearer ${token}` },
    });
  const third = await ask(one);
  assert.equal(third.status, 503);
  assert.equal(((await third.json()) as { code: string }).code, "too_many_streams");
  readers.push(await open(await api.makeSession("o-2")));
  assert.equal((await ask(api.key)).status, 503);
  readers[0]?.response.destroy();
  let answer = await ask(one);
  // The service hears of the closing a moment later than this side.
  while (answer.status === 503) answer = await ask(one);
  assert.equal(answer.status, 200);
  await answer.body?.cancel();
  for (const { response } of readers) response.destroy();
});

test("a key names what it watches, and its stream ends when it is revoked", async () => {
  const key = await api.makeKey(["deliveries:read"]);
  const headers = { authorization: `Bearer ${key}` };
  const all = await fetch(`${address}/v1/deliveries/stream`, { headers });
  assert.equal(((await all.json()) as { code: string }).code, "parameter_invalid");
  const reader = await open(key, `?webhookId=${WEBHOOK}`);
  const row = (await api.store.apiKeys.list()).at(-1);
  await api.store.apiKeys.revoke(row?.id ?? "", true);
  assert.equal((await reader.next()).event, "end");
});

test("two streams that open at once, after all others were closed, are both told", async () => {
  const first = await open(await api.makeSession("o-1"));
  await revokeSessionOf("o-1");
  assert.equal((await first.next()).event, "end");
  const tokens = [await api.makeSession("o-1"), await api.makeSession("o-1")];
  const readers = await Promise.all(tokens.map((token) => open(token)));
  await sender.lease(purchase("map-1", 7));
  for (const reader of readers) assert.equal((await reader.next()).event, "delivery");
  for (const { response } of readers) response.destroy();
});

test("a stream of a resource that is not the owner's, or not there, is not found", async () => {
  await api.store.resources.put([{ id: "map-2", ownerId: "o-2", title: "T", subtitle: "" }]);
  const owner = await api.makeSession("o-1");
  for (const resourceId of ["map-2", "map-9"]) {
    const { response } = await open(owner, `?resourceId=${resourceId}`);
    assert.equal(response.statusCode, 404);
    response.resume();
  }
  const { response } = await open(owner, "?resourceId=map-1");
  assert.equal(response.statusCode, 200);
  response.destroy();
});

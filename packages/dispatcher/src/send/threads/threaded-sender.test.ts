import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import type { Worker } from "node:worker_threads";
import { parseAllowList } from "../../guard/allow-list.ts";
import type { RequestOwner } from "../exchange.ts";
import type { SendResult } from "../send-result.ts";
import type { Sender } from "../sender.ts";
import { createAuthority } from "../testing/certificate.ts";
import { always, ok, startRawReceiver } from "../testing/raw-receiver.ts";
import { mayWrite, postTo } from "../testing/test-sender.ts";
import { RightToWrite } from "./right-to-write.ts";
import { createThreadedSender, type ThreadedSenderOptions } from "./threaded-sender.ts";

const authority = createAuthority("Trusted");
const certificate = authority.issue({ names: ["127.0.0.1"] });

interface Started {
  sender: Sender;
  right: RightToWrite;
  /** Of all threads that were started; the last is the one that runs. */
  workers: Worker[];
  exits: Promise<unknown>[];
}

function start(t: TestContext, options: Partial<ThreadedSenderOptions> = {}): Started {
  const right = new RightToWrite({ wallNow: Date.now });
  const workers: Worker[] = [];
  const exits: Promise<unknown>[] = [];
  const sender = createThreadedSender({
    threads: 1,
    right,
    now: () => performance.now(),
    attemptTimeoutMs: 5000,
    allow: parseAllowList("127.0.0.0/8"),
    blockedPorts: new Set(),
    ca: authority.cert,
    started(worker) {
      workers.push(worker);
      exits.push(once(worker, "exit"));
    },
    ...options,
  });
  t.after(() => sender.close());
  return { sender, right, workers, exits };
}

/** Listens for TLS, but hands connections to `take` first: false keeps the handshake from beginning. */
async function startInTheWay(
  t: TestContext,
  take: (count: number) => boolean,
): Promise<{ url: string; requests: string[]; connections(): number }> {
  const receiver = await startRawReceiver(t, always(ok()), { tls: certificate });
  let count = 0;
  const sockets: Socket[] = [];
  const front = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    count += 1;
    if (!take(count)) return;
    const behind = connect(receiver.port, "127.0.0.1");
    sockets.push(behind);
    behind.on("error", () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    front.close();
  });
  const { port } = front.address() as AddressInfo; // It listens on a port.
  const url = `https://127.0.0.1:${port}/hook`;
  return { url, requests: receiver.requests, connections: () => count };
}

test("answers come back whole, and the next request goes on the same connection", async (t) => {
  const receiver = await startRawReceiver(t, always(ok("räksmörgås")), { tls: certificate });
  const { sender } = start(t);
  const first = await sender.send(postTo(receiver.url, '{"first":1}'), mayWrite);
  assert.deepEqual([first.status, first.category, first.sent], [200, null, true]);
  assert.equal(first.body.toString(), "räksmörgås");
  assert.deepEqual(first.headers, [["Content-Length", "13"]]);
  assert.equal(first.address, "127.0.0.1");
  const second = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(second.reusedConnection, true);
  assert.equal(receiver.sockets.length, 1);
});

test("a host always goes to the same thread", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const { sender } = start(t, { threads: 4 });
  for (let count = 0; count < 20; count += 1) {
    const url = `http://127.0.0.1:${receiver.port}/hook/${count}`;
    assert.equal((await sender.send(postTo(url), mayWrite)).status, 200);
  }
  assert.equal(receiver.sockets.length, 1);
});

test("an instance without the right to write has nothing written, and one that has it has", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const { sender, right } = start(t);
  const send = (instanceNo: number): Promise<SendResult> =>
    sender.send(postTo(receiver.url), mayWrite, { instanceNo });
  assert.equal((await send(7)).category, "lease_lost", "nothing was granted yet");
  right.grant(7, right.moment(), 60_000);
  assert.equal((await send(7)).status, 200);
  assert.equal((await send(6)).category, "lease_lost", "another instance");
  right.grant(7, right.moment(), 0);
  assert.equal((await send(7)).category, "lease_lost", "its time is over");
  right.grant(7, right.moment(), 60_000);
  right.withdraw();
  const result = await send(7);
  assert.deepEqual([result.category, result.sent], ["lease_lost", false]);
  assert.equal(receiver.requests.length, 1);
});

test("an address is asked about before it is dialled, and one that may not be reached is not", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const { sender } = start(t);
  const asked: string[] = [];
  const only =
    (answer: boolean): RequestOwner["mayReach"] =>
    (address) => {
      asked.push(address);
      return answer;
    };
  const send = (answer: boolean): Promise<SendResult> =>
    sender.send(postTo(receiver.url), mayWrite, { mayReach: only(answer) ?? (() => answer) });
  assert.equal((await send(false)).category, "address_unconfirmed");
  assert.equal(receiver.sockets.length, 0);
  assert.equal((await send(true)).status, 200);
  assert.equal((await send(true)).reusedConnection, true);
  assert.deepEqual(new Set(asked), new Set(["127.0.0.1"]));
});

test("a request that waits for a thread that ends is sent by the next one", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const { sender, workers } = start(t);
  const sending = sender.send(postTo(receiver.url), mayWrite);
  void workers.at(-1)?.terminate();
  assert.equal((await sending).status, 200);
  assert.equal(receiver.requests.length, 1);
  assert.equal(workers.length, 2);
});

test("a request that was being dialled when its thread ended is sent by the next one, once", async (t) => {
  const { sender, workers } = start(t);
  const receiver = await startInTheWay(t, (count) => {
    if (count === 1) void workers.at(-1)?.terminate();
    return count > 1;
  });
  const result = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(result.status, 200);
  assert.equal(receiver.requests.length, 1);
});

test("a request that was written when its thread ended counts as sent, and is not repeated", async (t) => {
  const died: Error[] = [];
  const { sender, workers } = start(t, { died: (error) => died.push(error) });
  const receiver = await startRawReceiver(t, (socket, _request, count) => {
    if (count === 1) void workers.at(-1)?.terminate();
    else socket.write(ok());
  });
  const result = await sender.send(postTo(receiver.url, '{"no":1}'), mayWrite);
  assert.deepEqual([result.sent, result.category], [true, "connection_closed"]);
  assert.equal(died.length, 1);
  assert.equal((await sender.send(postTo(receiver.url, '{"no":2}'), mayWrite)).status, 200);
  assert.deepEqual(
    receiver.requests.map((request) => /"no":\d/.exec(request)?.[0]),
    ['"no":1', '"no":2'],
  );
});

test("a request that was answered when its thread ended ends once, as sent", async (t) => {
  const { sender, workers, exits } = start(t);
  const receiver = await startRawReceiver(t, (socket) => {
    socket.write(ok(), () => void workers.at(-1)?.terminate());
  });
  const results: SendResult[] = [];
  const ended = Promise.withResolvers<void>();
  sender.start(postTo(receiver.url), {
    mayWrite,
    ended(result) {
      results.push(result);
      ended.resolve();
    },
  });
  await ended.promise;
  await exits[0];
  assert.equal(results.length, 1);
  assert.equal(results[0]?.sent, true);
  assert.equal(receiver.requests.length, 1);
});

test("a request whose dialling ends thread after thread is given up, and others go on", async (t) => {
  const { sender, workers } = start(t);
  const poison = await startInTheWay(t, () => {
    void workers.at(-1)?.terminate();
    return false;
  });
  const healthy = await startRawReceiver(t, always(ok()));
  const result = await sender.send(postTo(poison.url), mayWrite);
  assert.deepEqual([result.sent, result.category], [false, "connection_closed"]);
  assert.equal(poison.connections(), 2);
  assert.equal((await sender.send(postTo(healthy.url), mayWrite)).status, 200);
  assert.equal(workers.length, 3);
});

test("close ends what is open as stopped, at once, and tells what was written", async (t) => {
  const receiver = await startRawReceiver(t, () => {});
  const { sender } = start(t);
  const results: SendResult[] = [];
  const owner = { mayWrite, ended: (result: SendResult) => void results.push(result) };
  sender.start(postTo(receiver.url), owner);
  await receiver.arrived(1);
  sender.start(postTo(receiver.url), owner);
  sender.close();
  assert.deepEqual(
    results.map(({ category, sent }) => [category, sent]),
    [
      ["stopped", true],
      ["stopped", false],
    ],
  );
  assert.equal((await sender.send(postTo(receiver.url), mayWrite)).category, "stopped");
});

test("more open requests than the first page has room for are all answered", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const { sender } = start(t, { maxSockets: 3000 });
  const results = await Promise.all(
    Array.from({ length: 2500 }, () => sender.send(postTo(receiver.url), mayWrite)),
  );
  assert.equal(results.filter(({ status }) => status === 200).length, 2500);
});

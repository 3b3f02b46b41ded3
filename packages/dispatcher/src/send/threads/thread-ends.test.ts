import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import type { SendResult } from "../send-result.ts";
import type { Sender } from "../sender.ts";
import { always, ok, startRawReceiver } from "../testing/raw-receiver.ts";
import { sendSigned, unsigned } from "../testing/signed.ts";
import { mayWrite, postTo } from "../testing/test-sender.ts";
import { startThreads } from "../testing/test-threads.ts";
import type { ThreadedSenderOptions } from "./threaded-sender.ts";

/** Takes connections and lets no handshake begin. */
async function startSilent(t: TestContext, taken: () => void): Promise<{ url: string }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    taken();
  });
  const port = await listenOnLoopback(server);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `https://127.0.0.1:${port}/hook` };
}

function endsOf(sender: Sender, url: string): { ends: SendResult[]; first: Promise<SendResult> } {
  const ends: SendResult[] = [];
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  sender.start(postTo(url), {
    mayWrite,
    ended(result) {
      ends.push(result);
      resolve(result);
    },
  });
  return { ends, first: promise };
}

test("a queued request that its thread had not begun is sent by the next thread", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const { sender, workers, deaths } = startThreads(t);
  const sending = Array.from({ length: 50 }, () => sender.send(postTo(receiver.url), mayWrite));
  void workers.at(-1)?.terminate();
  const results = await Promise.all(sending);
  assert.ok(results.every(({ status }) => status === 200));
  assert.equal(receiver.requests.length, 50);
  assert.equal(workers.length, 2);
  assert.deepEqual([deaths[0]?.open, deaths[0]?.begun, deaths[0]?.written], [50, 0, 0]);
});

test("a request that was being dialled ends as lost and not sent", async (t) => {
  const { sender, workers, deaths } = startThreads(t);
  const silent = await startSilent(t, () => void workers.at(-1)?.terminate());
  const result = await sender.send(postTo(silent.url), mayWrite);
  assert.deepEqual([result.category, result.sent], ["sender_lost", false]);
  assert.deepEqual([deaths[0]?.open, deaths[0]?.begun, deaths[0]?.written], [1, 1, 0]);
});

test("a request that the thread had begun to sign or dial ends as lost too, with an attempt's detail", async (t) => {
  const { sender, workers, deaths } = startThreads(t);
  const [first] = workers;
  const silent = await startSilent(t, () => void first?.terminate());
  const ended = await sendSigned(sender, unsigned(silent.url));
  assert.ok("result" in ended);
  assert.deepEqual([ended.result.category, ended.result.sent], ["sender_lost", false]);
  assert.match(String(ended.detail["signature"]), /^[0-9a-f]{64}$/);
  assert.deepEqual([deaths[0]?.open, deaths[0]?.begun, deaths[0]?.written], [1, 1, 0]);
});

test("a request that was written ends as lost and sent, and is not repeated; the next one is sent", async (t) => {
  const { sender, workers, deaths } = startThreads(t);
  const receiver = await startRawReceiver(t, (socket, _request, count) => {
    if (count === 1) void workers.at(-1)?.terminate();
    else socket.write(ok());
  });
  const result = await sender.send(postTo(receiver.url, '{"no":1}'), mayWrite);
  assert.deepEqual([result.category, result.sent], ["sender_lost", true]);
  assert.deepEqual([deaths[0]?.open, deaths[0]?.begun, deaths[0]?.written], [1, 1, 1]);
  assert.equal((await sender.send(postTo(receiver.url, '{"no":2}'), mayWrite)).status, 200);
  assert.deepEqual(
    receiver.requests.map((request) => /"no":\d/.exec(request)?.[0]),
    ['"no":1', '"no":2'],
  );
});

test("a request that was answered ends once, whether the answer or the thread's end comes first", async (t) => {
  const { sender, workers, exit } = startThreads(t);
  const receiver = await startRawReceiver(t, (socket) => {
    socket.write(ok(), () => void workers.at(-1)?.terminate());
  });
  const { ends, first } = endsOf(sender, receiver.url);
  await first;
  await exit();
  assert.equal(ends.length, 1);
  assert.equal(ends[0]?.sent, true);
  assert.equal(receiver.requests.length, 1);
});

test("what a thread posted before it ended is heard", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const { sender, workers, deaths, exit } = startThreads(t, { longestWaitMs: 1 });
  for (let count = 0; count < 3; count += 1) {
    const { ends, first } = endsOf(sender, receiver.url);
    assert.equal((await first).status, 200);
    void workers.at(-1)?.terminate();
    await exit();
    assert.equal(ends.length, 1);
  }
  assert.ok(deaths.every(({ open }) => open === 0));
});

test("an error that a thread does not catch ends it alone, and is told", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const { sender, workers, deaths, exit } = startThreads(t);
  // Not a message that a thread can read.
  workers[0]?.postMessage(null);
  await exit();
  assert.match(deaths[0]?.error.message ?? "", /iterable/);
  assert.equal((await sender.send(postTo(receiver.url), mayWrite)).status, 200);
});

test("threads that end one after the other start again after growing waits, and one at 5 s at most", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { workers, deaths, exit } = startThreads(t);
  for (let ends = 1; ends <= 9; ends += 1) {
    await workers.at(-1)?.terminate();
    await exit();
    assert.equal(deaths.length, ends);
    t.mock.timers.tick((deaths.at(-1)?.waitMs ?? 0) - 1);
    assert.equal(workers.length, ends);
    t.mock.timers.tick(1);
    assert.equal(workers.length, ends + 1);
  }
  assert.deepEqual(
    deaths.map(({ waitMs }) => waitMs),
    [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000],
  );
});

/** The main thread's clock and looks by hand; the thread itself would wait for an hour. */
function startWithClock(t: TestContext, options: Partial<ThreadedSenderOptions> = {}) {
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const clock = { now: 0 };
  const started = startThreads(t, {
    now: () => clock.now,
    attemptTimeoutMs: 3_600_000,
    ...options,
  });
  const goOn = (ms: number): void => {
    for (const end = clock.now + ms; clock.now < end;) {
      clock.now += 1000;
      t.mock.timers.tick(1000);
    }
  };
  return { ...started, clock, goOn };
}

test("a thread that does not keep its requests' deadlines hangs, and is ended", async (t) => {
  const receiver = await startRawReceiver(t, () => {});
  const { sender, deaths, goOn } = startWithClock(t);
  const { first } = endsOf(sender, receiver.url);
  await receiver.arrived(1);
  goOn(3_609_000);
  assert.equal(deaths.length, 0);
  goOn(2000);
  const result = await first;
  assert.deepEqual([result.category, result.sent], ["sender_lost", true]);
  assert.deepEqual(
    deaths.map(({ error }) => error.message),
    ["the thread hung and was ended: it did not keep the time limit of a request"],
  );
});

test("a request that is handed over by a thread that hung has its whole time in the next one", async (t) => {
  const answers: Socket[] = [];
  const receiver = await startRawReceiver(t, (socket) => void answers.push(socket));
  const { sender, deaths, exit, goOn } = startWithClock(t);
  const { first } = endsOf(sender, receiver.url);
  goOn(3_611_000);
  await exit();
  t.mock.timers.tick(deaths[0]?.waitMs ?? 0);
  await receiver.arrived(1);
  goOn(10_000);
  for (const socket of answers) socket.write(ok());
  const result = await first;
  assert.deepEqual([result.status, result.category], [200, null]);
  assert.deepEqual(
    deaths.map(({ open, begun }) => [open, begun]),
    [[1, 0]],
  );
});

test("a process that stood still gives its threads the time to keep their deadlines", async (t) => {
  const answers: Socket[] = [];
  const receiver = await startRawReceiver(t, (socket) => void answers.push(socket));
  const { sender, deaths, clock, goOn } = startWithClock(t);
  const { first } = endsOf(sender, receiver.url);
  await receiver.arrived(1);
  clock.now += 4_000_000;
  goOn(9000);
  for (const socket of answers) socket.write(ok());
  assert.equal((await first).status, 200);
  assert.equal(deaths.length, 0);
});

test("a request for which no thread can be started is given back in the end, not sent", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const started = startWithClock(t, {
    attemptTimeoutMs: 5000,
    started: (worker) => void worker.terminate(),
  });
  const { ends } = endsOf(started.sender, receiver.url);
  while (ends.length === 0) {
    await started.exit();
    started.goOn(1000);
  }
  assert.deepEqual([ends[0]?.category, ends[0]?.sent], ["stopped", false]);
  assert.equal(receiver.requests.length, 0);
});

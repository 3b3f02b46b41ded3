import assert from "node:assert/strict";
import { test } from "node:test";

import { always, ok, startRawReceiver } from "./testing/raw-receiver.ts";
import { mayWrite, postTo, testSender } from "./testing/test-sender.ts";

test("a connection is used again, the most recent one first", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const sender = testSender(t);
  await Promise.all([
    sender.send(postTo(receiver.url), mayWrite),
    sender.send(postTo(receiver.url), mayWrite),
  ]);
  assert.equal(sender.openSockets(), 2);
  for (let count = 0; count < 5; count += 1) {
    const result = await sender.send(postTo(receiver.url), mayWrite);
    assert.equal(result.reusedConnection, true);
    assert.equal(result.timings.connectMs, null);
  }
  assert.equal(receiver.sockets.length, 2);
});

test("anyone who is told that a request ended can send the next on its connection at once", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const sender = testSender(t);
  const reused: boolean[] = [];
  await new Promise<void>((resolve) => {
    const next = (): void =>
      sender.start(postTo(receiver.url), {
        mayWrite,
        ended(result) {
          reused.push(result.reusedConnection);
          if (reused.length === 3) resolve();
          else next();
        },
      });
    next();
  });
  assert.deepEqual(reused, [false, true, true]);
  assert.equal(receiver.sockets.length, 1);
});

test("connections are not shared between ports or names", async (t) => {
  const one = await startRawReceiver(t, always(ok()));
  const two = await startRawReceiver(t, always(ok()));
  const sender = testSender(t, { resolver: { resolve: async () => ["127.0.0.1"] } });
  for (const url of [one.url, two.url, `http://a.example.com:${one.port}/`]) {
    const result = await sender.send(postTo(url), mayWrite);
    assert.equal(result.reusedConnection, false, url);
  }
});

test("an answer that closes, is of HTTP/1.0 or is followed by bytes ends its connection", async (t) => {
  const answers = [
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok",
    `${ok()}HTTP/1.1 500 Second answer\r\nContent-Length: 0\r\n\r\n`,
    "HTTP/1.1 204 No Content\r\n\r\nbody",
  ];
  for (const answer of answers) {
    const receiver = await startRawReceiver(t, always(answer));
    const sender = testSender(t);
    const result = await sender.send(postTo(receiver.url), mayWrite);
    assert.equal(result.category, null, answer);
    assert.equal(sender.openSockets(), 0, answer);
    const second = await sender.send(postTo(receiver.url), mayWrite);
    assert.equal(second.reusedConnection, false, answer);
    assert.equal(second.status, result.status);
  }
});

test("a second answer that comes later is never taken for the next request's", async (t) => {
  const receiver = await startRawReceiver(t, (socket, _request, count) => {
    socket.write(ok(`answer ${count}`));
    if (count === 1)
      setImmediate(() => socket.write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"));
  });
  const sender = testSender(t);
  const first = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(first.body.toString(), "answer 1");
  await receiver.closed(1);
  assert.equal(sender.openSockets(), 0);
  const second = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(second.body.toString(), "answer 2");
  assert.equal(second.reusedConnection, false);
});

test("a body that a 204 announces and sends late is never taken for the next request's answer", async (t) => {
  const receiver = await startRawReceiver(t, (socket, _request, count) => {
    if (count === 1) socket.write("HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\n");
    else socket.write(socket === receiver.sockets[0] ? `late${ok()}` : ok());
  });
  const sender = testSender(t);
  const first = await sender.send(postTo(receiver.url), mayWrite);
  const second = await sender.send(postTo(receiver.url), mayWrite);
  assert.deepEqual([first.status, first.category], [204, null]);
  assert.deepEqual([second.status, second.category], [200, null]);
});

test("an idle connection that its receiver closed is replaced without anybody noticing", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  let clock = 0;
  const sender = testSender(t, { now: () => clock });
  await sender.send(postTo(receiver.url), mayWrite);
  receiver.sockets[0]?.end();
  await receiver.closed(1);
  // Long idle, so that the sender looks before it writes.
  clock += 1000;
  const result = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(result.status, 200);
  assert.equal(result.reusedConnection, false);
  assert.equal(receiver.requests.length, 2);
});

test("a request that was written to a dying connection is not repeated", async (t) => {
  const receiver = await startRawReceiver(t, (socket, _request, count) => {
    if (count === 1) socket.write(ok());
    else socket.resetAndDestroy();
  });
  const sender = testSender(t);
  await sender.send(postTo(receiver.url), mayWrite);
  const result = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(result.category, "connection_reset");
  assert.equal(result.sent, true);
  assert.equal(result.reusedConnection, true);
  assert.equal(receiver.requests.length, 2);
});

test("after such a loss the origin's connections are not kept for a minute, after the next for four", async (t) => {
  let rude = false;
  const receiver = await startRawReceiver(t, (socket) => {
    // Answers in order, then hangs up on the next request, as some old servers do.
    if (rude) socket.end();
    else socket.write(ok());
    rude = false;
  });
  let clock = 1;
  const sender = testSender(t, { now: () => clock });
  const send = async (): Promise<string> => {
    const { category, status, reusedConnection } = await sender.send(
      postTo(receiver.url),
      mayWrite,
    );
    return `${category ?? status} ${reusedConnection ? "kept" : "new"}`;
  };
  for (const minutes of [1, 4]) {
    assert.equal(await send(), "200 new");
    rude = true;
    assert.equal(await send(), "connection_closed kept");
    for (const passed of [0, minutes * 60_000 - 1]) {
      clock += passed;
      assert.equal(await send(), "200 new");
      assert.equal(sender.openSockets(), 0);
    }
    clock += 1;
  }
  assert.equal(await send(), "200 new");
  assert.equal(await send(), "200 kept");
});

test("a receiver that kept its connections and is restarted has them kept again at once", async (t) => {
  let restarts = false;
  const receiver = await startRawReceiver(t, (socket) => {
    if (restarts) socket.resetAndDestroy();
    else socket.write(ok());
  });
  const sender = testSender(t);
  for (let count = 0; count < 10; count += 1) {
    await sender.send(postTo(receiver.url), mayWrite);
  }
  restarts = true;
  const lost = await sender.send(postTo(receiver.url), mayWrite);
  assert.deepEqual([lost.category, lost.reusedConnection], ["connection_reset", true]);
  restarts = false;
  for (const reused of [false, true, true]) {
    const result = await sender.send(postTo(receiver.url), mayWrite);
    assert.deepEqual([result.status, result.reusedConnection], [200, reused]);
  }
  assert.equal(receiver.sockets.length, 2);
});

test("R16: a receiver that hangs up at random gets no request twice", async (t) => {
  const kept = "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=999999\r\nContent-Length: 0\r\n\r\n";
  const receiver = await startRawReceiver(t, (socket, _request, count) => {
    socket.write(kept);
    if (count % 3 === 0) socket.end();
    if (count % 7 === 0) setImmediate(() => socket.resetAndDestroy());
  });
  let clock = 1;
  const sender = testSender(t, { now: () => clock, idleMs: 1e9 });
  let answered = 0;
  let reused = 0;
  for (let count = 0; count < 200; count += 1) {
    // The sender forgets what it learned of the receiver, so that kept connections stay in play.
    clock += 4_000_000;
    const result = await sender.send(postTo(receiver.url, `{"count":${count}}`), mayWrite);
    assert.equal(result.sent, true);
    if (result.category === null) answered += 1;
    if (result.reusedConnection) reused += 1;
  }
  const bodies = receiver.requests.map((request) => request.slice(request.indexOf("\r\n\r\n")));
  assert.equal(new Set(bodies).size, bodies.length);
  assert.ok(answered > 100, String(answered));
  assert.ok(reused > 50, String(reused));
});

test("an idle connection is closed after idleMs, or a second before its receiver would", async (t) => {
  const receivers = [
    await startRawReceiver(t, always(ok())),
    await startRawReceiver(
      t,
      always("HTTP/1.1 200 OK\r\nKeep-Alive: max=9, timeout=2\r\nContent-Length: 0\r\n\r\n"),
    ),
  ];
  for (const [index, keptMs] of [3000, 1000].entries()) {
    const receiver = receivers[index];
    assert.ok(receiver !== undefined);
    let clock = 0;
    const sender = testSender(t, { now: () => clock, idleMs: 3000 });
    await sender.send(postTo(receiver.url), mayWrite);
    clock += keptMs - 1;
    const reused = await sender.send(postTo(receiver.url), mayWrite);
    assert.equal(reused.reusedConnection, true);
    clock += keptMs;
    await receiver.closed(1);
    assert.equal(sender.openSockets(), 0);
  }
});

test("a connection is kept as long as its receiver announces, and for 55 s where it announces nothing", async (t) => {
  const announcing = "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=65\r\nContent-Length: 0\r\n\r\n";
  for (const [answer, keptMs] of [
    [announcing, 64_000],
    [ok(), 55_000],
  ] as const) {
    const receiver = await startRawReceiver(t, always(answer));
    let clock = 0;
    const sender = testSender(t, { now: () => clock });
    for (const [waitMs, reused] of [
      [0, false],
      [keptMs - 1, true],
      [keptMs, false],
    ] as const) {
      clock += waitMs;
      const result = await sender.send(postTo(receiver.url), mayWrite);
      assert.equal(result.reusedConnection, reused, `${waitMs} ms`);
    }
  }
});

test("a request that may not be written does not make its connection last longer", async (t) => {
  const answer = "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 0\r\n\r\n";
  const receiver = await startRawReceiver(t, always(answer));
  let clock = 0;
  const sender = testSender(t, { now: () => clock });
  await sender.send(postTo(receiver.url), mayWrite);
  clock += 900;
  const refused = await sender.send(postTo(receiver.url), () => false);
  clock += 1100;
  const next = await sender.send(postTo(receiver.url), mayWrite);
  assert.deepEqual([refused.category, refused.sent], ["lease_lost", false]);
  assert.deepEqual([next.status, next.reusedConnection], [200, false]);
});

test("an origin that closed idle connections twice has them kept for less than that, but half a second", async (t) => {
  for (const [lifetimeMs, keptMs] of [
    [20_000, 19_000],
    [1000, 750],
    [100, 500],
  ] as const) {
    const receiver = await startRawReceiver(t, always(ok()));
    let clock = 0;
    const sender = testSender(t, { now: () => clock });
    const send = async (waitMs: number): Promise<boolean> => {
      clock += waitMs;
      return (await sender.send(postTo(receiver.url), mayWrite)).reusedConnection;
    };
    assert.equal(await send(0), false);
    for (const [index, idleMs] of [lifetimeMs * 0.9, lifetimeMs].entries()) {
      clock += idleMs;
      receiver.sockets[index]?.end();
      await receiver.closed(index + 1);
      assert.equal(await send(1000), false);
    }
    assert.equal(await send(keptMs - 1), true);
    assert.equal(await send(keptMs), false);
    // One hour later the origin has a new chance.
    assert.equal(await send(3_600_000), false);
    assert.equal(await send(54_000), true);
  }
});

test("a restart, which ends all connections at once, does not change how long an origin's are kept", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  let clock = 0;
  const sender = testSender(t, { now: () => clock });
  await Promise.all([1, 2, 3].map(() => sender.send(postTo(receiver.url), mayWrite)));
  clock += 2000;
  for (const socket of receiver.sockets) socket.end();
  await receiver.closed(3);
  await sender.send(postTo(receiver.url), mayWrite);
  clock += 54_000;
  const later = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(later.reusedConnection, true);
});

test("at the limit the longest idle connection makes room, and with none idle nothing is sent", async (t) => {
  const quick = await startRawReceiver(t, always(ok()));
  const other = await startRawReceiver(t, always(ok()));
  const silent = await startRawReceiver(t, () => {});
  let clock = 0;
  const sender = testSender(t, { maxSockets: 2, now: () => (clock += 0.001) });
  await sender.send(postTo(quick.url), mayWrite);
  await sender.send(postTo(other.url), mayWrite);
  const waiting = sender.send(postTo(silent.url), mayWrite);
  await silent.arrived(1);
  await quick.closed(1);
  assert.equal(sender.openSockets(), 2);
  assert.equal((await sender.send(postTo(other.url), mayWrite)).reusedConnection, true);

  const alsoWaiting = sender.send(postTo(silent.url), mayWrite);
  await silent.arrived(2);
  const refused = await sender.send(postTo(quick.url), mayWrite);
  assert.equal(refused.category, "socket_limit");
  assert.equal(refused.sent, false);
  sender.close();
  assert.equal((await waiting).category, "stopped");
  assert.equal((await alsoWaiting).category, "stopped");
});

test("a hundred exchanges at once each get their own answer", async (t) => {
  const receiver = await startRawReceiver(t, (socket, request) => {
    socket.write(ok(request.slice(request.indexOf("\r\n\r\n") + 4)));
  });
  const sender = testSender(t);
  const lanes = Array.from({ length: 100 }, async (_, lane) => {
    for (let count = 0; count < 20; count += 1) {
      const body = `{"lane":${lane},"count":${count}}`;
      const result = await sender.send(postTo(receiver.url, body), mayWrite);
      assert.equal(result.body.toString(), body);
    }
  });
  await Promise.all(lanes);
  assert.equal(receiver.requests.length, 2000);
  assert.equal(receiver.sockets.length, 100);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ONE_LOOPBACK_ADDRESS } from "@markethook/protocol/testing";
import type { RequestOwner } from "../exchange.ts";
import type { SendResult } from "../send-result.ts";
import { always, ok, startRawReceiver } from "../testing/raw-receiver.ts";
import { mayWrite, postTo } from "../testing/test-sender.ts";
import { certificate, startThreads } from "../testing/test-threads.ts";

test("answers come back whole, and the next request goes on the same connection", async (t) => {
  const receiver = await startRawReceiver(t, always(ok("räksmörgås")), { tls: certificate });
  const { sender } = startThreads(t);
  const first = await sender.send(postTo(receiver.url, '{"first":1}'), mayWrite);
  assert.deepEqual([first.status, first.category, first.sent], [200, null, true]);
  assert.equal(first.body.toString(), "räksmörgås");
  assert.deepEqual(first.headers, [["Content-Length", "13"]]);
  assert.equal(first.address, "127.0.0.1");
  const second = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(second.reusedConnection, true);
  assert.equal(receiver.sockets.length, 1);
});

test(
  "each host always goes to the same thread, and hosts are spread over the threads",
  { skip: ONE_LOOPBACK_ADDRESS },
  async (t) => {
    const hosts = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 1}`);
    const receiver = await startRawReceiver(t, always(ok()), { host: "0.0.0.0" });
    const { sender, workers } = startThreads(t, { threads: 2 });
    for (let round = 0; round < 3; round += 1) {
      for (const host of hosts) {
        const result = await sender.send(
          postTo(`http://${host}:${receiver.port}/${round}`),
          mayWrite,
        );
        assert.deepEqual([result.status, result.reusedConnection], [200, round > 0]);
      }
    }
    assert.equal(receiver.sockets.length, hosts.length);
    assert.equal(sender.openSockets(), hosts.length);
    await workers[0]?.terminate();
    assert.ok(sender.openSockets() > 0 && sender.openSockets() < hosts.length);
  },
);

test(
  "the limit of open sockets is one for all threads: idle ones beyond it are closed",
  { skip: ONE_LOOPBACK_ADDRESS },
  async (t) => {
    const hosts = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 1}`);
    const receiver = await startRawReceiver(t, always(ok()), { host: "0.0.0.0" });
    const { sender } = startThreads(t, { threads: 2, maxSockets: 3 });
    for (const host of hosts) {
      const result = await sender.send(postTo(`http://${host}:${receiver.port}/`), mayWrite);
      assert.equal(result.status, 200);
    }
    await receiver.closed(hosts.length - 3);
    assert.equal(sender.openSockets(), 3);
  },
);

test("all sockets may be in use by one thread", async (t) => {
  const answers: (() => void)[] = [];
  const receiver = await startRawReceiver(t, (socket) => answers.push(() => socket.write(ok())));
  const { sender } = startThreads(t, { threads: 2, maxSockets: 4 });
  const sending = Array.from({ length: 5 }, () => sender.send(postTo(receiver.url), mayWrite));
  await receiver.arrived(4);
  const refused = await Promise.race(sending);
  assert.deepEqual([refused.category, refused.sent], ["socket_limit", false]);
  for (const answer of answers) answer();
  const results = await Promise.all(sending);
  assert.equal(results.filter(({ status }) => status === 200).length, 4);
});

test("an instance without the right to write has nothing written, and one that has it has", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const { sender } = startThreads(t);
  const { right } = sender;
  assert.ok(right);
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
  const { sender } = startThreads(t);
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

test("close ends what is open as stopped, at once, and tells what was written", async (t) => {
  const receiver = await startRawReceiver(t, () => {});
  const { sender } = startThreads(t);
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
  // Of so many connects at once the system drops some, and repeats them after seconds.
  const { sender } = startThreads(t, { maxSockets: 3000, attemptTimeoutMs: 60_000 });
  const results = await Promise.all(
    Array.from({ length: 2500 }, () => sender.send(postTo(receiver.url), mayWrite)),
  );
  assert.equal(results.filter(({ status }) => status === 200).length, 2500);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ok, startRawReceiver } from "./testing/raw-receiver.ts";
import { mayWrite, postTo, testSender } from "./testing/test-sender.ts";

const SECOND = "HTTP/1.1 410 Not yours\r\nContent-Length: 0\r\n\r\n";

test("a second answer is never taken for the answer to another owner's request", async (t) => {
  let gapMs = 0;
  const receiver = await startRawReceiver(t, (socket, text) => {
    if (text.startsWith("POST /attacker")) {
      socket.write(ok());
      setTimeout(() => socket.write(SECOND), gapMs);
    } else socket.write(ok());
  });
  const sender = testSender(t);
  const send = async (path: string, party: string): Promise<number | null> =>
    (await sender.send(postTo(receiver.url.replace(/\/[^/]*$/, path)), mayWrite, { party })).status;
  const answers: (number | null)[] = [];
  for (let round = 0; round < 200; round += 1) {
    gapMs = round % 6;
    await send("/attacker", "attacker");
    if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, gapMs / 2));
    answers.push(await send("/victim", "victim"));
  }
  assert.deepEqual(
    answers.filter((status) => status !== 200),
    [],
  );
});

test("requests of one owner, and those of nobody in particular, share what is kept", async (t) => {
  const receiver = await startRawReceiver(t, () => {});
  receiver.sockets.length = 0;
  const answering = await startRawReceiver(t, (socket) => void socket.write(ok()));
  const sender = testSender(t);
  for (const rules of [{ party: "one" }, { party: "one" }, {}, {}, { party: "two" }]) {
    await sender.send(postTo(answering.url), mayWrite, rules);
  }
  assert.equal(answering.sockets.length, 3);
});

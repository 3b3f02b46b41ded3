import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";

import { ONE_LOOPBACK_ADDRESS } from "@markethook/protocol/testing";

import { always, startRawReceiver } from "./testing/raw-receiver.ts";
import { mayWrite, postTo, testSender } from "./testing/test-sender.ts";

const CLOSING = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
const SILENT = "127.0.0.2";

/** Answers to no connect at this port: its queue is full, and nobody takes from it. */
async function beSilent(t: TestContext, port: number): Promise<{ end(): Promise<void> }> {
  const script = `require("node:net").createServer().listen({ host: "${SILENT}", port: ${port}, backlog: 1 }, () => console.log("up"))`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  child.kill("SIGSTOP");
  const queued: Socket[] = [];
  t.after(() => queued.forEach((socket) => socket.destroy()));
  for (let count = 0; count < 2; count += 1) {
    const socket = connect({ host: SILENT, port }).on("error", () => {});
    queued.push(socket);
    await once(socket, "connect");
  }
  return {
    async end() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test(
  "of several addresses, one that was silent is tried last for ten minutes",
  { skip: ONE_LOOPBACK_ADDRESS },
  async (t) => {
    const other = await startRawReceiver(t, always(CLOSING));
    const { port } = other;
    const silence = await beSilent(t, port);
    let later = 0;
    const sender = testSender(t, {
      now: () => performance.now() + later,
      // Half of it goes to the silent one, and a busy machine may take some of the other half.
      attemptTimeoutMs: 2000,
      resolver: { resolve: async () => [SILENT, "127.0.0.1"] },
    });
    const addressOf = async (): Promise<string | null> => {
      const result = await sender.send(postTo(`http://shop.example.com:${port}/`), mayWrite);
      return result.status === 200 ? result.address : result.category;
    };
    assert.equal(await addressOf(), "127.0.0.1");
    await silence.end();
    await startRawReceiver(t, always(CLOSING), { host: SILENT, port });
    assert.equal(await addressOf(), "127.0.0.1");
    later = 600_000;
    assert.equal(await addressOf(), SILENT);
  },
);

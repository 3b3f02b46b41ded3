import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { startRunningService, type RunningService } from "../running-service.ts";

/** Idle sockets; both ends are on this machine, and some allow a process little more. */
const CROWD = 2000;
const REQUESTS = 50;

let service: RunningService;
before(async () => {
  service = await startRunningService();
});
after(() => service.stop());

async function open(first: string): Promise<Socket> {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname);
  // The service may hang up on it at any time, and the end of the test does.
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(first);
  return socket;
}

test("while thousands of sockets say nothing, or never end their headers, others are answered", async (t) => {
  const crowd = await Promise.all(
    Array.from({ length: CROWD }, (_, i) =>
      open(i % 2 === 0 ? "" : "POST /v1/events HTTP/1.1\r\nHost: a\r\nX-"),
    ),
  );
  t.after(() => crowd.forEach((socket) => socket.destroy()));
  const headers = { authorization: `Bearer ${service.apiKey}` };
  for (let i = 0; i < REQUESTS; i += 1) {
    const answer = await fetch(`${service.address}/v1/resources`, { headers });
    assert.equal(answer.status, 200);
    await answer.text();
  }
});

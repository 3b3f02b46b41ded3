/** What anybody can do to a receiver without its secret, and what must still work after it and next to it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { RunningReceiver } from "./start-receiver.ts";
import { post, sign } from "./trials.ts";

/** Larger than any receiver reads: PHP's own limit is 8 MiB. */
const LARGE = 9 * 1024 * 1024;
/** Less than the 15 s after which some receivers hang up on a sender that says nothing. */
const PATIENCE_MS = 12_000;

/** For a receiver that has `SECRET`. */
export async function tryStrangers({ url }: RunningReceiver): Promise<void> {
  const gone = await begin(url, "Content-Length: 100\r\n\r\n{");
  await setTimeout(200);
  gone.resetAndDestroy();
  const silent = [
    await begin(url, ""),
    await begin(url, "Content-Length: 100\r\n\r\n{"),
    await begin(url, "Transfer-Encoding: chunked\r\n\r\n"),
  ];
  const signal = AbortSignal.timeout(PATIENCE_MS);
  assert.equal(await post(url, sign({ eventId: "evt_next" }), {}, signal), 204);
  for (const socket of silent) socket.destroy();

  const odd = await begin(url, "Content-Length: -1\r\n\r\n{}");
  // In order or by a reset, which `once` of Node tells as an error.
  const closed = new Promise((resolve) => odd.once("close", resolve));
  await Promise.race([closed, setTimeout(PATIENCE_MS, null, { ref: false })]);
  assert.ok(odd.closed, "an impossible length is hung up on");

  const payload = { filler: "x".repeat(LARGE) };
  // A connection that is closed while the body still comes is a refusal too.
  const status = await post(url, sign({ eventId: "evt_large", payload })).catch(() => 413);
  assert.ok([400, 401, 413].includes(status), `${status} for a large body`);
  assert.equal(await post(url, sign({ eventId: "evt_after" })), 204);
}

/** As many as the service has open to one host, at most: MARKETHOOK_HOST_CONCURRENCY. */
const BURST = 64;

/** Connects that often at once while the receiver is busy. It must accept all of these connections. */
export async function tryBurst({ url, pause, resume }: RunningReceiver): Promise<void> {
  const { hostname, port } = new URL(url);
  pause();
  const sockets = Array.from({ length: BURST }, () => connect(Number(port), hostname));
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const connected = await Promise.all(
    sockets.map((socket) =>
      once(socket, "connect", { signal }).then(
        () => true,
        () => false,
      ),
    ),
  );
  resume();
  for (const socket of sockets) socket.destroy();
  assert.equal(connected.filter(Boolean).length, BURST);
}

/** Sends the front of a request, and stays. */
async function begin(url: string, front: string): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined).resume();
  await once(socket, "connect");
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n${front}`);
  return socket;
}

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { createAuthority } from "../../packages/dispatcher/src/send/testing/certificate.ts";
import { startHangingReceiver } from "../hanging-receiver.ts";
import { setUpMarketplace } from "../marketplace.ts";
import { postgresPlace } from "../places.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";

const DELIVERIES = 40;
const DIALLED = 2;

async function sendsNothingMore(t: TestContext, threads: number): Promise<void> {
  const place = await postgresPlace();
  const receiver = await startHangingReceiver();
  const env = {
    ...place.env,
    MARKETHOOK_LEASE: "800ms",
    MARKETHOOK_SENDER_THREADS: String(threads),
  };
  const sleeper = await startServiceProcess(env);
  t.after(async () => {
    sleeper.signal("SIGKILL");
    await receiver.close();
    await place.drop();
  });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { webhookIds } = await setUpMarketplace(sleeper.address, apiKey, "plugin", [url]);
  receiver.hanging = true;
  const events = Array.from({ length: DELIVERIES }, (_, index) => ({
    resourceId: "plugin",
    event: "product.user.purchase",
    user: { id: index + 1 },
  }));
  await sleeper.api("POST", "/events", { events });
  // A new webhook's first requests go two at a time; the others wait in memory under the same lease.
  await receiver.until(() => receiver.arrivals.length === DIALLED);
  const dialled = new Set(receiver.arrivals);

  sleeper.signal("SIGSTOP");
  receiver.hanging = false;
  const other = await startServiceProcess(env);
  t.after(() => other.signal("SIGKILL"));
  await receiver.until(() => receiver.arrivals.length === DIALLED + DELIVERIES);

  const lost = sleeper.logged("instance lost");
  const refused = sleeper.logged("outcomes refused: their leases had ended");
  receiver.answerAll();
  sleeper.signal("SIGCONT");
  await Promise.all([lost, refused]);
  // It works again under a new instance; whatever it would wrongly send would have to come before this.
  await sleeper.api("POST", "/events", {
    events: [{ ...events[0], user: { id: 999 } }],
  });
  await receiver.until(() => receiver.arrivals.length > DIALLED + DELIVERIES);

  const times = new Map<string, number>();
  for (const id of receiver.arrivals) times.set(id, (times.get(id) ?? 0) + 1);
  assert.equal(receiver.arrivals.length, DIALLED + DELIVERIES + 1);
  for (const [id, count] of times) assert.equal(count, dialled.has(id) ? 2 : 1, id);
  const { items } = (await other.api(
    "GET",
    `/webhooks/${webhookIds[0]}/deliveries?limit=200&state=delivered`,
  )) as {
    items: { attempts: number }[];
  };
  assert.ok(items.length >= DELIVERIES);
  assert.ok(
    items.every((item) => item.attempts === 1),
    "a refused result was recorded",
  );
}

test("an instance stopped beyond its lease sends nothing that it had not dialled, and its late results are refused", async (t) => {
  await sendsNothingMore(t, 0);
});

test("so it is where threads send", async (t) => {
  await sendsNothingMore(t, 2);
});

/** Passes connections on to a server with TLS, but for the first, whose handshake waits for `release`. */
async function startHoldingReceiver(t: TestContext) {
  const authority = createAuthority("Stopped");
  const arrivals: string[] = [];
  const first = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const receiver = createHttpsServer(
    authority.issue({ names: ["127.0.0.1"] }),
    (request, response) => {
      request.resume().on("end", () => {
        arrivals.push(String(request.headers["x-service-delivery-id"]));
        response.writeHead(204).end();
      });
    },
  );
  const port = await listenOnLoopback(receiver);
  const sockets: Socket[] = [];
  const front = createServer((socket) => {
    const behind = connect(port, "127.0.0.1");
    for (const one of [socket, behind]) one.on("error", () => one.destroy());
    sockets.push(socket, behind);
    const pass = (): void => void socket.pipe(behind).pipe(socket);
    if (sockets.length > 2) pass();
    else {
      first.resolve();
      void released.promise.then(pass);
    }
  });
  const url = `https://127.0.0.1:${await listenOnLoopback(front)}/`;
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    front.close();
    receiver.close();
  });
  return { url, authority, arrivals, first: first.promise, release: () => released.resolve() };
}

test("a request that a sender thread was dialling when its process was stopped beyond the lease is not written", async (t) => {
  const place = await postgresPlace();
  const receiver = await startHoldingReceiver(t);
  const authorityFile = join(place.env["MARKETHOOK_DATA_DIR"] ?? "", "authority.pem");
  writeFileSync(authorityFile, receiver.authority.cert);
  const env = {
    ...place.env,
    MARKETHOOK_ATTEMPT_TIMEOUT: "5m",
    MARKETHOOK_LEASE: "800ms",
    MARKETHOOK_SENDER_THREADS: "1",
    NODE_EXTRA_CA_CERTS: authorityFile,
  };
  const sleeper = await startServiceProcess(env);
  t.after(async () => {
    await sleeper.kill();
    await place.drop();
  });
  await setUpMarketplace(sleeper.address, apiKey, "plugin", [receiver.url]);
  await sleeper.api("POST", "/events", {
    events: [{ resourceId: "plugin", event: "product.user.purchase", user: { id: 1 } }],
  });
  await receiver.first;

  sleeper.signal("SIGSTOP");
  const other = await startServiceProcess(env);
  t.after(async () => {
    await other.kill();
  });
  while (receiver.arrivals.length === 0) await pause(20);
  receiver.release();
  sleeper.signal("SIGCONT");
  const refused = /^markethook_attempts_total\{outcome="lease_lost"\} 1$/m;
  while (!refused.test(await (await fetch(`${sleeper.address}/metrics`)).text())) {
    assert.equal(receiver.arrivals.length, 1, "it was written");
    await pause(20);
  }
  assert.equal(receiver.arrivals.length, 1);
});

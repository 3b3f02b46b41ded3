/** After a minute without a network, work asked for a connection without end: those that were being closed counted as open. */
import assert from "node:assert/strict";
import dns from "node:dns";
import { connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { createTestDatabase } from "../testing/postgres-server.ts";
import { createHotPool, inTransaction } from "./connection.ts";

type Found = (error: Error | null, addresses?: { address: string; family: number }[]) => void;

test("work fails when no connection is left but those that nobody answers any more", async (t) => {
  const { url, drop } = await createTestDatabase();
  const server = new URL(url);
  const sockets: Socket[] = [];
  const network = createServer((near) => {
    const far = connect(Number(server.port), server.hostname);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.pipe(far);
    far.pipe(near);
  });
  const port = await listenOnLoopback(network);
  let lookups = 0;
  let works = true;
  t.mock.method(dns, "lookup", (_name: string, _options: unknown, done: Found) => {
    lookups += 1;
    if (works) done(null, [{ address: "127.0.0.1", family: 4 }]);
    // The last one ends a loop.
    else done(Object.assign(new Error("no answer"), { code: lookups < 50 ? "EAI_AGAIN" : "EIO" }));
  });
  const place = Object.assign(new URL(url), { host: `db.example:${port}` });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const hot = createHotPool(place.href, 6, false);
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    network.close();
    await hot.end();
    await drop();
  });
  const work = (): Promise<unknown> =>
    inTransaction(hot, async (client) => await client.query("select 1"));
  await Promise.all([work(), work()]);
  works = false;
  for (const socket of sockets) socket.unpipe();
  // The pool closes those that are idle, and waits for the server to say goodbye.
  t.mock.timers.tick(60_000);
  assert.equal(hot.totalCount, 0);
  lookups = 0;
  await assert.rejects(work(), { code: "store_unavailable", message: /no answer/ });
  assert.equal(lookups, 1);
});

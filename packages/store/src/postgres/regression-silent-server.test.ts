import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { createTestDatabase } from "../testing/postgres-server.ts";
import { inspectPostgres } from "./inspect.ts";

test("an inspection ends where a server, or a pooler before it, takes the connection and then says nothing", async (t) => {
  const database = await createTestDatabase();
  const { hostname, port, pathname } = new URL(database.url);
  /** Ready for a query: the connection is made. */
  const ready = Buffer.from("Z\0\0\0\u0005I", "latin1");
  const silent = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.pipe(server);
    client.on("error", () => undefined);
    client.on("close", () => server.destroy());
    server.on("data", (bytes: Buffer) => {
      client.write(bytes);
      if (bytes.includes(ready)) server.pause();
    });
  });
  const at = await listenOnLoopback(silent);
  t.after(async () => {
    await new Promise((resolve) => silent.close(resolve));
    await database.drop();
  });
  await assert.rejects(
    inspectPostgres(`postgres://postgres@127.0.0.1:${at}${pathname}`, 1),
    /Query read timeout/,
  );
});

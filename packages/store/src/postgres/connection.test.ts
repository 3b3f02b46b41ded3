import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pool } from "pg";
import { inTransaction } from "./connection.ts";

test("a connection that is lost at once fails its transaction, and no statement's failure is left unheard", async (t) => {
  const unheard = t.mock.fn();
  process.on("unhandledRejection", unheard);
  t.after(() => process.off("unhandledRejection", unheard));
  const released = t.mock.fn();
  const client = {
    on() {},
    off() {},
    query: async () => await Promise.reject(new Error("connection lost")),
    release: released,
  };
  const pool = { connect: async () => client } as unknown as Pool; // What is used of it.
  await assert.rejects(
    inTransaction(pool, async (_client, last) => {
      last.push(client.query(), client.query());
      return await Promise.resolve(1);
    }),
    { code: "store_unavailable" },
  );
  await new Promise(setImmediate);
  assert.equal(unheard.mock.callCount(), 0);
  assert.equal(released.mock.callCount(), 1);
});

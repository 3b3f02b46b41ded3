import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { DatabaseError, type Pool } from "pg";
import { inTransaction, storeError } from "./connection.ts";

test("a connection that is lost at once fails its transaction, and no statement's failure is left unheard", async (t) => {
  const unheard = t.mock.fn();
  process.on("unhandledRejection", unheard);
  t.after(() => process.off("unhandledRejection", unheard));
  const released = t.mock.fn();
  const client = {
    on() {},
    off() {},
    connection: { on() {}, off() {} },
    query: async () => await Promise.reject(new Error("connection lost")),
    end() {},
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

/** What is used of a pool: one connection that fails with this at the statement that begins like this. */
function failingPool(failing: string, error: Error): Pool {
  const client = {
    on() {},
    off() {},
    connection: { on() {}, off() {} },
    query: async (text: string) => {
      if (text.startsWith(failing)) throw error;
      return await Promise.resolve({ command: text === "commit" ? "COMMIT" : "", rows: [] });
    },
    end() {},
    release() {},
  };
  return { options: {}, connect: async () => client } as unknown as Pool;
}

const cut = new Error("Connection terminated unexpectedly");
const refused = Object.assign(new DatabaseError("duplicate key", 0, "error"), { code: "23505" });
const answered = (code: string) => Object.assign(new DatabaseError(code, 0, "error"), { code });

test("an error says that nothing was stored only where that is certain: not after a commit that got no answer", async () => {
  const away = { connect: () => Promise.reject(new Error("connect ECONNREFUSED")) };
  const cases: [pool: Pool, nothingStored: true | undefined][] = [
    [away as unknown as Pool, true],
    [failingPool("begin", cut), true],
    [failingPool("insert", cut), true],
    [failingPool("commit", refused), true],
    // The server is shut down.
    [failingPool("commit", answered("57P01")), undefined],
    // A pooler has lost the server.
    [failingPool("commit", answered("08P01")), undefined],
    [failingPool("commit", answered("58000")), undefined],
    [failingPool("insert", answered("08P01")), true],
    [failingPool("commit", cut), undefined],
    [failingPool("commit", new Error("Query read timeout")), undefined],
  ];
  for (const [index, [pool, nothingStored]] of cases.entries()) {
    const work = inTransaction(pool, async (client) => await client.query("insert"));
    await assert.rejects(work, (error: unknown) => {
      assert.ok(isMarkethookError(error, "store_unavailable"));
      assert.equal(error.detail.nothingStored, nothingStored, `case ${index}`);
      return true;
    });
  }
});

test("a certificate of the server that is not trusted tells what to add to the URL", () => {
  const untrusted = Object.assign(new Error("self-signed certificate in certificate chain"), {
    code: "SELF_SIGNED_CERT_IN_CHAIN",
  });
  assert.match(storeError(untrusted).message, /chain\. .*add sslrootcert=FILE/);
  assert.doesNotMatch(storeError(cut).message, /sslrootcert/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { migrate } from "./migrate.ts";

test("a database whose encoding lacks letters is refused before anything is made in it", async (t) => {
  const { url, drop } = await createTestDatabase();
  const made: string[] = [];
  t.after(async () => {
    for (const name of made) await execute(url, `drop database ${name} with (force)`);
    await drop();
  });
  const make = async (encoding: string): Promise<string> => {
    const theirs = new URL(url);
    theirs.pathname += `_${encoding.toLowerCase()}`;
    const name = theirs.pathname.slice(1);
    await execute(
      url,
      `create database ${name} template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`,
    );
    made.push(name);
    return theirs.href;
  };
  const latin = await make("LATIN1");
  await assert.rejects(migrate(latin), {
    code: "database_encoding_wrong",
    message: /encoding is LATIN1\./,
  });
  const tables = await execute(latin, "select to_regclass('schema_version') as name");
  assert.deepEqual(tables, [{ name: null }]);
  // Texts are stored as they come.
  await migrate(await make("SQL_ASCII"));
});

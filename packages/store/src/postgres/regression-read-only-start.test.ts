import assert from "node:assert/strict";
import { test } from "node:test";
import { startPair } from "../testing/postgres-cluster.ts";
import { execute } from "../testing/postgres-server.ts";
import { migrate } from "./migrate.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openPostgres } from "./open.ts";

test("a start on a server that takes no writes says so, whether its database has tables or not", async (t) => {
  const { first, second } = await startPair(t);
  const refused = { code: "database_read_only", message: /it is a standby, or set to read only/ };
  await assert.rejects(openPostgres({ ...TEST_OPTIONS, url: second.url }), refused);
  await migrate(first.url);
  await second.catchUp(first);
  await assert.rejects(openPostgres({ ...TEST_OPTIONS, url: second.url }), refused);
  await execute(first.url, "alter role postgres set default_transaction_read_only = on");
  await assert.rejects(openPostgres({ ...TEST_OPTIONS, url: first.url }), refused);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "@markethook/store/testing";
import { startPooler } from "../doctor/testing/pooler.ts";
import { warnOfPooler } from "./start-warnings.ts";

test("a start is warned of a pooler that no direct URL leads past", async (t) => {
  const database = await createTestDatabase();
  const pooler = await startPooler(database.url);
  t.after(async () => {
    await pooler.close();
    await database.drop();
  });
  const warned = async (databaseUrl: string | null, databaseDirectUrl: string | null = null) => {
    const lines: unknown[] = [];
    await warnOfPooler(
      { databaseUrl, databaseDirectUrl },
      { warn: (line: unknown) => void lines.push(line) },
    );
    return lines;
  };
  assert.deepEqual(await warned(null), []);
  assert.deepEqual(await warned(database.url), []);
  assert.deepEqual(await warned(pooler.url, database.url), []);
  assert.match(String(await warned(pooler.url)), /set MARKETHOOK_DATABASE_DIRECT_URL/);
  assert.equal((await warned(database.url, pooler.url)).length, 1);
});

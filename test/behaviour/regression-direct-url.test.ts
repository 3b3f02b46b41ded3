import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { upgradePostgres } from "@markethook/store";
import { createTestDatabase, execute } from "@markethook/store/testing/postgres";
import { MAIN } from "../built-command.ts";
import { postgresPlace } from "../places.ts";

/** The service said that it was ready, and nothing was ever sent. */
test("a way past pgbouncer that leads to another database is refused before anything is written there", async (t) => {
  const [place, other, empty] = [
    await postgresPlace(),
    await createTestDatabase(),
    await createTestDatabase(),
  ];
  t.after(async () => {
    await place.drop();
    await other.drop();
    await empty.drop();
  });
  await upgradePostgres(place.url);
  await upgradePostgres(other.url);
  for (const direct of [other.url, empty.url]) {
    const child = spawn(process.execPath, [MAIN, "serve"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        ...place.env,
        MARKETHOOK_BASE_URL: "https://market.example",
        MARKETHOOK_PORT: "0",
        MARKETHOOK_DATABASE_DIRECT_URL: direct,
      },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 60_000,
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise((resolve) => child.once("close", resolve));
    assert.equal(code, 2, said);
    assert.match(said, /DATABASE_DIRECT_URL lead to different databases\..*\[config_invalid\]/);
  }
  const [row] = await execute(empty.url, "select to_regclass('meta') as meta");
  assert.equal(row?.["meta"], null);
});

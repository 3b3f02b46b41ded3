import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectConfig } from "./config.ts";

const URL = "postgres://u:hush@db.example/markethook";
const SECRET = "A".repeat(48);

test("a way past pgbouncer without a database is refused, and does not lead to SQLite", () => {
  const direct = { MARKETHOOK_DATABASE_DIRECT_URL: URL };
  for (const env of [direct, { ...direct, MARKETHOOK_DATABASE_URL: "" }]) {
    const { faults } = inspectConfig(env);
    assert.deepEqual(
      faults.map(({ name }) => name),
      ["MARKETHOOK_DATABASE_DIRECT_URL"],
    );
    assert.match(faults[0]?.sentence ?? "", /MARKETHOOK_DATABASE_URL is not: .* SQLite/);
    assert.doesNotMatch(faults[0]?.sentence ?? "", /hush/);
  }
  assert.deepEqual(inspectConfig({ ...direct, MARKETHOOK_DATABASE_URL: URL }).faults, []);
});

test("a secret for notices without an address to post them to is refused", () => {
  const { faults } = inspectConfig({ MARKETHOOK_NOTICES_SECRET: SECRET });
  assert.deepEqual(
    faults.map(({ name }) => name),
    ["MARKETHOOK_NOTICES_SECRET"],
  );
  assert.match(faults[0]?.sentence ?? "", /MARKETHOOK_NOTICES_URL is not/);
});

test("a setting that cannot be read is one fault, and its partner is none", () => {
  const names = (env: Record<string, string>) => inspectConfig(env).faults.map(({ name }) => name);
  assert.deepEqual(
    names({ MARKETHOOK_DATABASE_URL: "mysql://db", MARKETHOOK_DATABASE_DIRECT_URL: URL }),
    ["MARKETHOOK_DATABASE_URL"],
  );
  assert.deepEqual(
    names({ MARKETHOOK_NOTICES_URL: "market.example", MARKETHOOK_NOTICES_SECRET: SECRET }),
    ["MARKETHOOK_NOTICES_URL"],
  );
});

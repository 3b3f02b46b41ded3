import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { CAUSE_CODES } from "./diagnose.ts";
import { STATUS_BY_CODE } from "./create-handler.ts";

const PAGE = readFileSync(
  join(import.meta.dirname, "../../../docs/reference/verification-failures.md"),
  "utf8",
);
const rows = PAGE.split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("the troubleshooting table has every code with the status that handlers answer", () => {
  const told = rows
    .filter((cells) => /^[0-9]{3}$/.test(cells[2] ?? ""))
    .map((cells) => [cells[1]?.replaceAll("`", ""), Number(cells[2])] as const);
  assert.deepEqual(Object.fromEntries(told), STATUS_BY_CODE);
});

test("the page explains every cause, and none that does not exist", () => {
  const told = rows
    .filter((cells) => !/^[0-9]{3}$/.test(cells[2] ?? ""))
    .flatMap((cells) => (cells[1] ?? "").replaceAll("`", "").split(", "));
  assert.deepEqual(told.sort(), [...CAUSE_CODES].sort());
});

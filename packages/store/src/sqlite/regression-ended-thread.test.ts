import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inFolder } from "../testing/temporary-folder.ts";

const SCRIPT = fileURLToPath(new URL("../testing/sqlite-end-thread.ts", import.meta.url));

test(
  "a process whose database thread has ended ends, instead of refusing everything for ever",
  inFolder((folder) => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, folder], {
      encoding: "utf8",
      timeout: 10_000,
    });
    assert.match(stderr, /The database thread has ended/);
    assert.equal(status, 1);
  }),
);

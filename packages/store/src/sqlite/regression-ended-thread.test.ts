import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inFolder } from "../testing/temporary-folder.ts";

/** Ends the thread that writes, as a want of memory would, and goes on. */
const SCRIPT = `
  import { Worker } from "node:worker_threads";
  import { openSqlite } from ${JSON.stringify(import.meta.resolve("./open.ts"))};
  import { TEST_OPTIONS } from ${JSON.stringify(import.meta.resolve("./open-harness.ts"))};
  const store = await openSqlite({ ...TEST_OPTIONS, folder: process.argv[2] });
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function () {
    Worker.prototype.postMessage = post;
    void this.terminate();
  };
  setInterval(() => {}, 1000);
  await store.maintenance.now().catch(() => undefined);`;

test(
  "a process whose database thread has ended ends, instead of refusing everything for ever",
  inFolder((folder) => {
    // A file: threads would get the options of a script that stands in the command.
    const file = join(folder, "end-thread.mjs");
    writeFileSync(file, SCRIPT);
    const { status, stderr } = spawnSync(process.execPath, [file, folder], {
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.match(stderr, /The database thread has ended/);
    assert.equal(status, 1);
  }),
);

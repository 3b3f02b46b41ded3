/** A backup that was put in the place of a killed process's database got the log of that process, and was malformed. */
import { copyFileSync, cpSync, renameSync, statSync } from "node:fs";
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { backup, DatabaseSync } from "node:sqlite";
import { withCode } from "../conformance/checks.ts";
import { startScript } from "../testing/script-process.ts";
import { inFolder } from "../testing/temporary-folder.ts";
import { lockFolder } from "./folder-lock.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openSqlite } from "./open.ts";

/** Files of a folder whose process was killed, and a backup from while it ran. */
async function killed(folder: string) {
  const data = join(folder, "data");
  const [file, saved] = [join(data, "markethook.sqlite"), join(folder, "saved")];
  // So that the process that is killed is not the first one.
  await (await openSqlite({ ...TEST_OPTIONS, folder: data })).close();
  const holder = startScript(new URL("../testing/sqlite-hold-folder.ts", import.meta.url), data);
  await holder.line("open");
  const db = new DatabaseSync(file);
  await backup(db, saved);
  db.exec("update counters set value = value + 1");
  db.close();
  await holder.kill();
  assert.ok(statSync(`${file}-wal`).size > 0);
  return { data, file, saved };
}

async function opens(folder: string): Promise<void> {
  await (await openSqlite({ ...TEST_OPTIONS, folder })).close();
}

test(
  "a database that was replaced is not opened with the log of the one before, and is when the log was moved away",
  inFolder(async (folder) => {
    const { data, file, saved } = await killed(folder);
    renameSync(saved, file);
    for (let time = 1; time <= 2; time += 1) {
      await assert.rejects(opens(data), (error: Error) => {
        withCode("database_replaced")(error);
        assert.match(
          error.message,
          /markethook\.sqlite-wal next to it is the log of the one before/,
        );
        return true;
      });
    }
    for (const end of ["-wal", "-shm"]) renameSync(file + end, join(folder, `away${end}`));
    await opens(data);
  }),
);

test(
  "it is not opened either when the next process was killed while it opened the database",
  inFolder(async (folder) => {
    const { data, file, saved } = await killed(folder);
    // As far as such a start comes.
    lockFolder(data)();
    renameSync(saved, file);
    await assert.rejects(opens(data), withCode("database_replaced"));
  }),
);

test(
  "it opens again when the former file is put back",
  inFolder(async (folder) => {
    const { data, file, saved } = await killed(folder);
    const aside = join(folder, "aside");
    renameSync(file, aside);
    copyFileSync(saved, file);
    await assert.rejects(opens(data), withCode("database_replaced"));
    renameSync(aside, file);
    await opens(data);
  }),
);

test(
  "a folder that was copied whole, and a database that was copied with its log, are opened",
  inFolder(async (folder) => {
    const { data, file } = await killed(folder);
    const copy = join(folder, "copy");
    cpSync(data, copy, { recursive: true });
    await opens(copy);
    for (const end of ["", "-wal"]) {
      copyFileSync(file + end, join(folder, `rescued${end}`));
      renameSync(join(folder, `rescued${end}`), file + end);
    }
    await opens(data);
  }),
);

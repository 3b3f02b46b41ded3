/** A service whose database file was deleted or replaced went on saying "stored", until it ended and all was lost. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { event } from "../conformance/reports.ts";
import { World } from "../conformance/world.ts";
import { openSqlite } from "./open.ts";
import { TEST_OPTIONS } from "./open-harness.ts";

test("nothing is said to be stored in a file that is gone or replaced; once it is back all goes on", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-moved-"));
  const store = await openSqlite({ ...TEST_OPTIONS, folder });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  // Of the harness this test uses the store alone.
  const w = new World({ store } as unknown as World["harness"]);
  const shop = await w.shop();
  const [file, moved] = [join(folder, "markethook.sqlite"), join(folder, "moved")];
  const refused = async (detail: RegExp): Promise<void> => {
    const told = (error: unknown) => {
      const { code, detail: more } = error as {
        code: string;
        detail: { detail: string; nothingStored?: boolean };
      };
      assert.deepEqual([code, more.nothingStored], ["store_unavailable", true]);
      assert.match(more.detail, detail);
      return true;
    };
    await assert.rejects(w.accept([event(shop.id, "purchase", w.user())]), told);
    await assert.rejects(store.maintenance.checkWritable(), { code: "store_unavailable" });
    assert.equal((await store.webhooks.list({ ownerId: null, limit: 10 })).length, 1);
  };

  renameSync(file, moved);
  await refused(/markethook\.sqlite is gone, so nothing is written/);
  copyFileSync(moved, file);
  await refused(/markethook\.sqlite is another file now/);
  renameSync(moved, file);
  await w.accept([event(shop.id, "purchase", w.user())]);
  await store.maintenance.checkWritable();

  renameSync(`${file}-wal`, moved);
  await refused(/markethook\.sqlite-wal is gone/);
  renameSync(moved, `${file}-wal`);
  await w.accept([event(shop.id, "purchase", w.user())]);
});

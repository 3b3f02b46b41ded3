import assert from "node:assert/strict";
import { test } from "node:test";
import { MarkethookError } from "@markethook/protocol";
import { wasUndone } from "./transient-fault.ts";
import { revive } from "./worker-client.ts";

test("SQLite's refusal undoes a transaction; a fault of the disk, and a thread that has ended, leave it open", () => {
  const failed = (errcode: number): MarkethookError =>
    new MarkethookError("store_unavailable", {
      cause: Object.assign(new Error("SQLite"), { errcode }),
    });
  const [full, constraint, ioErrorOfFlush] = [13, 2067, 1034];
  assert.deepEqual([full, constraint].map(failed).map(wasUndone), [true, true]);
  assert.equal(wasUndone(failed(ioErrorOfFlush)), false);
  assert.equal(wasUndone(new MarkethookError("store_unavailable")), false);
});

test("a full disk is told in a sentence, which others can follow", () => {
  const message = "database or disk is full";
  const extra = { code: "ERR_SQLITE_ERROR", errcode: 13 };
  const error = revive({ name: "Error", message, extra }) as MarkethookError;
  assert.equal(error.code, "storage_full");
  assert.equal(error.detail.detail, "SQLite: database or disk is full.");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { fileFault, lockFault } from "./folder-lock.ts";

test("a disk without room for the lock is a full disk, which may pass", () => {
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const fault = lockFault(full, "/data");
  assert.ok(isMarkethookError(fault, "storage_full"));
  assert.match(fault.message, /the data folder \/data is full/);
});

test("a lock of another process, and a fault of another kind, are told as before", () => {
  const busy = Object.assign(new Error("database is locked"), { errcode: 5 });
  assert.ok(isMarkethookError(lockFault(busy, "/data"), "data_dir_in_use"));
  const other = new Error("other");
  assert.equal(lockFault(other, "/data"), other);
});

test("a file of another user is told with what to do, and any other fault as it is", () => {
  const closed = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
  const fault = fileFault(closed, "/data/markethook.sqlite");
  assert.ok(isMarkethookError(fault, "data_dir_unusable"));
  assert.match(
    fault.message,
    /^No permission for \/data\/markethook\.sqlite: give it, .*to the service's user\./,
  );
  const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  assert.equal(fileFault(full, "/data/markethook.sqlite"), full);
});

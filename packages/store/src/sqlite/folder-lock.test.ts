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

test("a lock that cannot be written is told with its file", () => {
  const failed = Object.assign(new Error("disk I/O error"), { errcode: 778 });
  const fault = lockFault(failed, "/data");
  assert.ok(isMarkethookError(fault, "store_unavailable"));
  assert.match(fault.message, /\/data\/lock\.sqlite cannot be locked: disk I\/O error\./);
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
  const gone = Object.assign(new Error("ENOENT"), { code: "ENOENT" });
  assert.equal(fileFault(gone, "/data/markethook.sqlite"), gone);
});

test("a file that cannot be written says why: no room and no more quota are one code, a limit and a disk that fails another", () => {
  for (const [code, told, words] of [
    ["ENOSPC", "storage_full", /^\/data\/holder\.json cannot be written: its disk is full\./],
    ["EDQUOT", "storage_full", /disk quota/],
    ["EFBIG", "data_dir_unusable", /files of that size/],
    ["EIO", "data_dir_unusable", /its disk fails/],
  ] as const) {
    const fault = fileFault(Object.assign(new Error(code), { code }), "/data/holder.json");
    assert.ok(isMarkethookError(fault, told), code);
    assert.match(fault.message, words);
  }
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileLibrary } from "../c-library.ts";

const SOURCE = join(import.meta.dirname, "disk-errors.c");

/** In what state the file system seems to be. */
const STATES = { sound: "0", failing: "1", frozen: "2" };

/** Writes and syncs of SQLite's files that fail or wait, in those processes that are started with its environment. */
export interface DiskErrors {
  env: Readonly<Record<string, string>>;
  set(state: keyof typeof STATES): void;
  remove(): void;
}

/** Returns why there are none, where that cannot be. */
export function makeDiskErrors(): DiskErrors | string {
  const folder = mkdtempSync(join(tmpdir(), "markethook-errors-"));
  const remove = (): void => rmSync(folder, { recursive: true });
  const compiled = compileLibrary(SOURCE, folder, "failing writes and syncs");
  if ("reason" in compiled) {
    remove();
    return compiled.reason;
  }
  const file = join(folder, "failing");
  writeFileSync(file, STATES.sound);
  return {
    env: { LD_PRELOAD: compiled.library, DISK_ERRORS: file },
    // In place, as it is mapped.
    set: (state) => writeFileSync(file, STATES[state], { flag: "r+" }),
    remove,
  };
}

import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isMarkethookError, MarkethookError } from "@markethook/protocol";
import { fileFault, makeDataFolder } from "@markethook/store";
import type { Config } from "../settings/config-schema.ts";
import { masterKey } from "../settings/setting-readers.ts";

/**
 * Reads the keys from the environment, a named file, or `master.key` in the data folder. A new key is written under
 * another name until the store has opened with it. Next to an existing database it would be the wrong one, and a
 * leftover file with the wrong key would hide that the right one is missing.
 */
export function readMasterKeys(config: Config, { make = true } = {}) {
  const settled = { confirm() {}, refused: (error: unknown) => error };
  if (config.masterKey !== null) return { keys: config.masterKey, ...settled };
  const file = masterKeyFile(config);
  if (existsSync(file)) return { keys: readKeyFile(file), ...settled };
  if (config.masterKeyFile !== null || !make) {
    throw new MarkethookError("master_key_missing", { detail: `There is no file ${file}.` });
  }
  const fresh = `${file}.new`;
  makeDataFolder(config.dataDir);
  // The key of a start that was cut short is used.
  createFileOnce(fresh, () => `${randomBytes(32).toString("base64")}\n`);
  return {
    keys: readKeyFile(fresh),
    /** Call when the store has opened with these keys: a new key file gets its final name. */
    confirm: () => renameSync(fresh, file),
    /**
     * Call when the store could not be opened with them; returns the error to report. A key that was just made for a
     * database of another key is removed: the right key is missing, and a new file would hide that.
     */
    refused(error: unknown): unknown {
      const ofKey =
        isMarkethookError(error, "master_key_missing") ||
        isMarkethookError(error, "master_key_wrong");
      if (!ofKey) return error;
      rmSync(fresh);
      return new MarkethookError("master_key_missing", {
        detail: `There is no file ${file}, and another master key encrypted this database.`,
        cause: error,
      });
    },
  };
}

/** The file of the keys, unless the environment has them. */
export function masterKeyFile(config: Config): string {
  return config.masterKeyFile ?? join(config.dataDir, "master.key");
}

/** @throws `master_key_missing`, `master_key_wrong` */
export function readKeyFile(file: string): Buffer[] {
  const keys = textOf(file)
    .split(/\s+/)
    .filter((part) => part !== "")
    .map(masterKey);
  if (keys.length === 0 || !keys.every((key) => key !== null)) {
    throw new MarkethookError("master_key_wrong", {
      detail: `${file} does not hold base64 of 32 bytes.`,
    });
  }
  return keys;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // Node's errors have a code.
    const known = code === undefined ? undefined : UNREADABLE[code];
    if (known === undefined) throw cause;
    throw new MarkethookError("master_key_missing", { detail: `${file} ${known}.`, cause });
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  EACCES: "cannot be read by the service's user; give it to this user, or to a group of it",
  EISDIR: "is a folder, not a file; Docker makes one when the file to mount does not exist",
};

/**
 * Creates the file for its owner alone, and flushes it; keeps an existing one. The system decides which of the two
 * happens, so no other process can come in between, and no planted link is followed. A file that could not be written
 * whole, as on a full disk, is removed: it would be kept by the next start.
 */
export function createFileOnce(path: string, content: () => string): void {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return; // Node's errors have a code.
    throw fileFault(error, path);
  }
  try {
    writeFileSync(file, content(), { flush: true });
  } catch (error) {
    rmSync(path);
    throw fileFault(error, path);
  } finally {
    closeSync(file);
  }
}

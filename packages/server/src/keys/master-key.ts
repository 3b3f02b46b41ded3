import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMarkethookError, MarkethookError } from "@markethook/protocol";
import type { Config } from "../settings/config-schema.ts";

export interface MasterKeys {
  keys: Buffer[];
  /** To be called when the store has opened with them: a new key file becomes the real one. */
  confirm(): void;
  /**
   * To be called when the store could not be opened with them; returns the error to tell. A key that was made just now
   * for a database that another key encrypted is removed: the right one is missing, and a new file would hide that.
   */
  refused(error: unknown): unknown;
}

/**
 * From the environment, a named file, or `master.key` in the data folder. A new key is written under another name
 * until the store has opened with it: next to an existing database it would be the wrong one, and a wrong key file
 * left behind would hide that the right one is missing.
 * @throws `master_key_missing` where there is none and none is to be made, `master_key_wrong`
 */
export function readMasterKeys(config: Config, { make = true } = {}): MasterKeys {
  const settled = { confirm() {}, refused: (error: unknown) => error };
  if (config.masterKey !== null) return { keys: config.masterKey, ...settled };
  const file = masterKeyFile(config);
  if (existsSync(file)) return { keys: readKeyFile(file), ...settled };
  if (config.masterKeyFile !== null || !make) {
    throw new MarkethookError("master_key_missing", { detail: `There is no file ${file}.` });
  }
  const fresh = `${file}.new`;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  // The one of a start that ended early goes on to be used.
  createFileOnce(fresh, () => `${randomBytes(32).toString("base64")}\n`);
  return {
    keys: readKeyFile(fresh),
    confirm: () => renameSync(fresh, file),
    refused(error) {
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

/** Where the keys are, unless the environment has them. */
export function masterKeyFile(config: Config): string {
  return config.masterKeyFile ?? join(config.dataDir, "master.key");
}

/** @throws `master_key_wrong` */
export function readKeyFile(file: string): Buffer[] {
  const keys = readFileSync(file, "utf8")
    .split(/\s+/)
    .filter((part) => part !== "")
    .map((part) => Buffer.from(part, "base64"));
  if (keys.length === 0 || keys.some((key) => key.length !== 32)) {
    throw new MarkethookError("master_key_wrong", {
      detail: `${file} does not hold base64 of 32 bytes.`,
    });
  }
  return keys;
}

/**
 * Creates the file for its owner alone, and flushes it; leaves one that exists as it is. The system decides which of the
 * two it is, so no other process comes in between, and no link that somebody put there is followed.
 */
export function createFileOnce(path: string, content: () => string): void {
  try {
    writeFileSync(path, content(), { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // Node's errors have a code.
  }
}

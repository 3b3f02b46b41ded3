import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MarkethookError } from "@markethook/protocol";
import type { Config } from "./config-schema.ts";

export interface MasterKeys {
  keys: Buffer[];
  /** To be called when the store has opened with them: a new key file becomes the real one. */
  confirm(): void;
  /** To be called when the store refused them: a key file that was made just now is of no use. */
  discard(): void;
}

/**
 * From the environment, a named file, or `master.key` in the data folder. A new key is written under another name
 * until the store has opened with it: next to an existing database it would be the wrong one, and a wrong key file
 * left behind would hide that the right one is missing.
 */
export function readMasterKeys(config: Config): MasterKeys {
  const settled = { confirm() {}, discard() {} };
  if (config.masterKey !== null) return { keys: config.masterKey, ...settled };
  const file = masterKeyFile(config);
  if (existsSync(file)) return { keys: readKeyFile(file), ...settled };
  if (config.masterKeyFile !== null) {
    throw new MarkethookError("master_key_missing", { detail: `There is no file ${file}.` });
  }
  const fresh = `${file}.new`;
  if (!existsSync(fresh)) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flush: true });
  }
  return {
    keys: readKeyFile(fresh),
    confirm: () => renameSync(fresh, file),
    discard: () => rmSync(fresh),
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

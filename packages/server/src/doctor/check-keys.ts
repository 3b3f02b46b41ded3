import { masterKeyId } from "@markethook/store";
import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

/** 32 random bytes almost never have fewer different values than this. */
const LEAST_DIFFERENT = 16;

/** Checks whether the master keys can decrypt this database, and are strong. */
export function* checkKeys({ config, keys, database }: Facts): Iterable<Finding> {
  const { inspection } = database;
  const given = keys.keys.map(masterKeyId);
  for (const key of keys.keys.filter((key) => new Set(key).size < LEAST_DIFFERENT)) {
    yield finding("master_key_weak", `The master key ${masterKeyId(key)} is not random.`);
  }
  if (config.masterKey !== null && config.masterKeyFile !== null)
    yield finding("master_key_twice", "A master key and a key file are both set.");
  const perFolder = config.masterKey === null && config.masterKeyFile === null;
  if (database.kind === "postgres" && perFolder) {
    yield finding(
      "master_key_not_shared",
      "The master key is a file in this machine's data folder, while the database is shared.",
    );
  }
  if (given.length > 1) {
    yield finding(
      "master_keys_several",
      `${given.length} master keys are given; ${given[0] ?? ""} encrypts, the others only open.`,
    );
  }
  if (keys.missing !== undefined) {
    yield finding("master_key_missing", keys.missing);
    return;
  }
  if (keys.fault !== null) {
    yield finding("master_key_wrong", keys.fault);
    return;
  }
  const encryptedBy = inspection?.encryptedBy ?? null;
  if (encryptedBy === null || inspection === null) return;
  if (given.length === 0) {
    yield finding(
      "master_key_missing",
      `The database was encrypted with the key ${encryptedBy}; there is none here.`,
    );
    return;
  }
  if (!given.includes(encryptedBy)) {
    yield finding(
      "master_key_wrong",
      `The database was encrypted with the key ${encryptedBy}; given: ${given.join(", ")}.`,
    );
  }
  const unknown = Object.entries(inspection.secretsEncryptedBy).filter(
    ([id]) => !given.includes(id),
  );
  if (unknown.length > 0) {
    const count = unknown.reduce((sum, [, secrets]) => sum + secrets, 0);
    const ids = unknown.map(([id]) => id).join(", ");
    yield finding(
      "secrets_unreadable",
      `${count} webhooks' secrets need keys that were not given: ${ids}.`,
    );
  }
}

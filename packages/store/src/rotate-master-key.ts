import { isMarkethookError, MarkethookError } from "@markethook/protocol";
import type { Selectable } from "kysely";
import { FORGOTTEN } from "./management/webhooks/webhook-row.ts";
import { createEncryption, masterKeyId, type Encryption } from "./encryption.ts";
import type { Tables } from "./tables.ts";

export interface MasterKeyRotationOptions {
  /** The first one encrypts; all can decrypt. */
  masterKeys: readonly Uint8Array[];
  /** Counts and changes nothing. */
  dryRun: boolean;
  onProgress(progress: { examined: number; total: number }): void;
  /** Called between two batches: the service has its turn. */
  pause(): Promise<void>;
}

export interface MasterKeyRotationOutcome {
  /** Number of webhooks read. */
  examined: number;
  /** Number of rows that were, or would be, encrypted again. */
  rotated: number;
  /** The key under which all of them are now. */
  keyId: string;
}

/** The encrypted parts of a webhook. */
export type EncryptedWebhook = Pick<
  Selectable<Tables["webhooks"]>,
  "no" | "id" | "url" | "secret" | "next_secret"
>;

/** The operations of a database for rotating the master key; each call is one transaction. */
export interface MasterKeyRotationDatabase {
  countWebhooks(): Promise<number>;
  /** The key ids of running instances, as each has stored them. */
  instanceKeys(): Promise<(string | null)[]>;
  /** Locks rows after `afterNo`, passes them to `decide`, and writes its results. */
  batch(
    afterNo: number,
    limit: number,
    decide: (row: EncryptedWebhook) => EncryptedWebhook | null,
  ): Promise<number[]>;
  /** The encrypted value in `meta`. */
  meta(decide: (value: string) => string | null): Promise<void>;
}

const BATCH = 200;
/** In `meta`, under its own name as row id. */
export const ENCRYPTED_META = "dedupe_secret";

/** Named in the error of a rotation. */
const NAMED = 10;

/**
 * Webhooks that cannot be decrypted stay as they are, and all others are rotated.
 * @throws `master_key_missing`, `master_key_wrong` after the rotation, with the ids of such webhooks;
 * `master_key_rotation_too_early`.
 */
export async function rotateMasterKey(
  database: MasterKeyRotationDatabase,
  { masterKeys, dryRun, onProgress, pause }: MasterKeyRotationOptions,
): Promise<MasterKeyRotationOutcome> {
  const encryption = createEncryption(masterKeys);
  const [first] = masterKeys;
  if (first === undefined) throw new MarkethookError("master_key_missing");
  const keyId = masterKeyId(first);
  if (!dryRun) refuseTooEarly(await database.instanceKeys(), keyId);
  const total = await database.countWebhooks();
  let [examined, rotated, afterNo] = [0, 0, 0];
  const unreadable: { id: string; error: MarkethookError }[] = [];
  for (;;) {
    const nos = await database.batch(afterNo, BATCH, (row) => {
      const changed = rotateOr(row, encryption, (error) => unreadable.push({ id: row.id, error }));
      if (changed !== null) rotated += 1;
      return dryRun ? null : changed;
    });
    examined += nos.length;
    onProgress({ examined, total: Math.max(total, examined) });
    const last = nos.at(-1);
    if (last === undefined) break;
    afterNo = last;
    await pause();
  }
  await database.meta((value) => {
    if (encryption.isCurrent(value)) return null;
    rotated += 1;
    const again = encryption.encrypt(encryption.decrypt(value, ENCRYPTED_META), ENCRYPTED_META);
    return dryRun ? null : again;
  });
  refuseUnreadable(unreadable, { examined, rotated, keyId }, dryRun);
  return { examined, rotated, keyId };
}

function rotateOr(
  row: EncryptedWebhook,
  encryption: Encryption,
  unreadable: (error: MarkethookError) => void,
): EncryptedWebhook | null {
  try {
    return rotateWebhook(row, encryption);
  } catch (error) {
    if (!isMarkethookError(error)) throw error;
    unreadable(error);
    return null;
  }
}

function refuseUnreadable(
  unreadable: readonly { id: string; error: MarkethookError }[],
  { rotated, keyId }: MasterKeyRotationOutcome,
  dryRun: boolean,
): void {
  const [first] = unreadable;
  if (first === undefined) return;
  const ids = unreadable.slice(0, NAMED).map(({ id }) => id);
  const more = unreadable.length > NAMED ? `, and ${unreadable.length - NAMED} more` : "";
  throw new MarkethookError(first.error.code, {
    detail: `${unreadable.length} webhooks cannot be decrypted and stay as they are: ${ids.join(", ")}${more}. The others are done: ${rotated} ${dryRun ? "would be" : "were"} encrypted again, under ${keyId}.`,
    cause: first.error,
  });
}

/** Null: all of it is under the first key. */
function rotateWebhook(row: EncryptedWebhook, encryption: Encryption): EncryptedWebhook | null {
  const again = (encrypted: string): string =>
    encryption.isCurrent(encrypted)
      ? encrypted
      : encryption.encrypt(encryption.decrypt(encrypted, row.id), row.id);
  if (row.url === FORGOTTEN) return null;
  const secret = again(row.secret);
  const next_secret = row.next_secret === null ? null : again(row.next_secret);
  const url = again(row.url);
  if (secret === row.secret && next_secret === row.next_secret && url === row.url) return null;
  return { ...row, secret, next_secret, url };
}

/**
 * An instance that does not know the key could decrypt nothing any more. An instance with another first key goes on
 * encrypting under that.
 */
function refuseTooEarly(instances: readonly (string | null)[], keyId: string): void {
  const others = instances.filter((keys) => keys?.split(" ")[0] !== keyId).length;
  if (others === 0) return;
  throw new MarkethookError("master_key_rotation_too_early", {
    detail: `${others} of ${instances.length} running instances do not have the key ${keyId} as their first one.`,
  });
}

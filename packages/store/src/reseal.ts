import { MarkethookError } from "@markethook/protocol";
import { createSeal, isSealed, masterKeyId, type Seal } from "./seal.ts";

export interface ResealOptions {
  /** The first one seals, all open. */
  masterKeys: readonly Uint8Array[];
  /** Look and change nothing. */
  dryRun: boolean;
  onProgress(progress: { examined: number; total: number }): void;
  /** Between two batches: the service has its turn. */
  pause(): Promise<void>;
}

export interface ResealOutcome {
  /** Webhooks looked at. */
  examined: number;
  /** Rows that were, or would be, sealed again. */
  resealed: number;
  /** The key that all of them are under now. */
  keyId: string;
}

/** What of a webhook is sealed. */
export interface SealedWebhook {
  no: number;
  id: string;
  url: string;
  secret: string;
  next_secret: string | null;
}

/** A database as re-sealing needs it; each call is one transaction. */
export interface ResealDatabase {
  countWebhooks(): Promise<number>;
  /** Of running instances, as each noted them. */
  instanceKeys(): Promise<(string | null)[]>;
  /** Rows after `afterNo`, held, and given to `decide`, whose answers are written. */
  batch(
    afterNo: number,
    limit: number,
    decide: (row: SealedWebhook) => SealedWebhook | null,
  ): Promise<number[]>;
  /** A sealed setting of the store. */
  meta(decide: (key: string, value: string) => string | null): Promise<void>;
}

const BATCH = 200;
/** In `meta`, under its own name as row id. */
export const SEALED_META = "facts_key";

/** @throws `master_key_missing`, `master_key_wrong`, `reseal_too_early` */
export async function reseal(
  database: ResealDatabase,
  { masterKeys, dryRun, onProgress, pause }: ResealOptions,
): Promise<ResealOutcome> {
  const seal = createSeal(masterKeys);
  const [first] = masterKeys;
  if (first === undefined) throw new MarkethookError("master_key_missing");
  const keyId = masterKeyId(first);
  if (!dryRun) refuseTooEarly(await database.instanceKeys(), keyId);
  const total = await database.countWebhooks();
  let [examined, resealed, afterNo] = [0, 0, 0];
  for (;;) {
    const nos = await database.batch(afterNo, BATCH, (row) => {
      const changed = resealWebhook(row, seal);
      if (changed !== null) resealed += 1;
      return dryRun ? null : changed;
    });
    examined += nos.length;
    onProgress({ examined, total: Math.max(total, examined) });
    const last = nos.at(-1);
    if (last === undefined) break;
    afterNo = last;
    await pause();
  }
  await database.meta((key, value) => {
    if (seal.isCurrent(value)) return null;
    resealed += 1;
    const again = seal.seal(seal.open(value, key), key);
    return dryRun ? null : again;
  });
  return { examined, resealed, keyId };
}

/** Null: all of it is under the first key. */
function resealWebhook(row: SealedWebhook, seal: Seal): SealedWebhook | null {
  const again = (sealed: string): string =>
    seal.isCurrent(sealed) ? sealed : seal.seal(seal.open(sealed, row.id), row.id);
  const secret = again(row.secret);
  const next_secret = row.next_secret === null ? null : again(row.next_secret);
  // A database of an earlier version has plain ones, which the next start seals.
  const url = isSealed(row.url) ? again(row.url) : row.url;
  if (secret === row.secret && next_secret === row.next_secret && url === row.url) return null;
  return { ...row, secret, next_secret, url };
}

/** An instance that does not know the key could open nothing any more; one with another first key seals under that. */
function refuseTooEarly(instances: readonly (string | null)[], keyId: string): void {
  const others = instances.filter((keys) => keys?.split(" ")[0] !== keyId).length;
  if (others === 0) return;
  throw new MarkethookError("reseal_too_early", {
    detail: `${others} of ${instances.length} running instances do not have the key ${keyId} as their first one.`,
  });
}

import { hashApiKey, makeApiKey } from "@markethook/api";
import { API_KEY_ID_PREFIX, makeRandomId, type RandomBytes } from "@markethook/protocol";
import type { ApiKeyStore } from "@markethook/store";

/**
 * Makes sure that there is a first key: the one from the setting, or a new one in an empty database. Returns a new one,
 * to be shown once. `onDead` is called for a given key that was revoked or has expired: it stays so.
 */
export async function ensureFirstKey(
  apiKeys: ApiKeyStore,
  given: string | null,
  randomBytes: RandomBytes,
  onDead: (id: string) => void,
): Promise<string | null> {
  const entryOf = (key: string, name: string) => {
    const id = makeRandomId(API_KEY_ID_PREFIX, randomBytes);
    return { id, name, scopes: ["admin"], hash: hashApiKey(key), expiresAt: null };
  };
  if (given !== null) {
    const hash = hashApiKey(given);
    const known = await apiKeys.findByHash(hash);
    if (known === null) {
      await apiKeys.create(entryOf(given, "MARKETHOOK_API_KEY")).catch(async (error: unknown) => {
        // Another instance that starts at the same time has stored it.
        if ((await apiKeys.findByHash(hash)) === null) throw error;
      });
    } else if (known.revokedAt !== null || isOver(known.expiresAt)) onDead(known.id);
    return null;
  }
  if ((await apiKeys.list()).length > 0) return null;
  const key = makeApiKey(randomBytes);
  return (await apiKeys.createFirst(entryOf(key, "first key"))) ? key : null;
}

function isOver(expiresAt: number | null): boolean {
  return expiresAt !== null && expiresAt <= Date.now();
}

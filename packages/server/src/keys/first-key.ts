import { hashToken, makeApiKey } from "@markethook/api";
import { API_KEY_ID_PREFIX, makeRandomId, type RandomBytes } from "@markethook/protocol";
import type { ApiKeyStore, NewApiKey } from "@markethook/store";

/** Stores the key from the setting. `onDead` is called for one that was revoked or has expired: it stays so. */
export async function storeGivenKey(
  apiKeys: ApiKeyStore,
  given: string,
  randomBytes: RandomBytes,
  onDead: (id: string) => void,
): Promise<void> {
  const hash = hashToken(given);
  const known = await apiKeys.findByHash(hash);
  if (known === null) {
    const key = adminKey(given, "MARKETHOOK_API_KEY", randomBytes);
    await apiKeys.create(key).catch(async (error: unknown) => {
      // Another instance that starts at the same time has stored it.
      if ((await apiKeys.findByHash(hash)) === null) throw error;
    });
  } else if (known.hasEnded) onDead(known.id);
}

/** Makes a key in a database that has none. Returns it, to be shown once; null: there is one. */
export async function makeFirstKey(
  apiKeys: ApiKeyStore,
  randomBytes: RandomBytes,
): Promise<string | null> {
  if ((await apiKeys.list()).length > 0) return null;
  const key = makeApiKey(randomBytes);
  return (await apiKeys.createFirst(adminKey(key, "first key", randomBytes))) ? key : null;
}

function adminKey(key: string, name: string, randomBytes: RandomBytes): NewApiKey {
  const id = makeRandomId(API_KEY_ID_PREFIX, randomBytes);
  return { id, name, scopes: ["admin"], hash: hashToken(key), expiresAt: null };
}

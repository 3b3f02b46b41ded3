import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { MarkethookError } from "@markethook/protocol";
import { RememberedTexts } from "./remembered-texts.ts";

const NONCE = 12;
const TAG = 16;
/** Characters at the end, all of the tag. */
const TAG_TEXT = 11;
/** Address and secret of 100,000 webhooks, in about 17 MB. */
const REMEMBERED = 200_000;

/** Tells the encrypted texts of a row apart by at least 62 bits of their tags. */
export function markOf(encrypted: string): string {
  return encrypted.slice(-TAG_TEXT);
}

export type Encryption = ReturnType<typeof createEncryption>;

/**
 * Encrypts secrets at rest: AES-256-GCM under a master key that is not in the database. The row's id is associated
 * data, so an encrypted text that is moved to another row cannot be decrypted. Form:
 * `s1.<key id>.<base64url of nonce, ciphertext, tag>`.
 *
 * The first key encrypts; all can decrypt. Keys are 32 bytes. `remembered` is the number of decrypted texts that are kept
 * in memory.
 */
export function createEncryption(keys: readonly Uint8Array[], remembered = REMEMBERED) {
  const byId = new Map(keys.map((key) => [masterKeyId(key), key]));
  const first = keys[0];
  if (first === undefined) throw new MarkethookError("master_key_missing");
  const firstId = masterKeyId(first);
  /**
   * Decrypted texts by name. Decrypting takes longer than signing, and with many webhooks each event reads another one. A
   * full cache keeps its texts. If it replaced the oldest, and all texts were read in turns, each would be gone before its
   * next turn. After as many texts found no room, the cache is emptied, because some of its texts are no longer in use.
   */
  const decrypted = new RememberedTexts(remembered);
  let leftOut = 0;
  return {
    decrypt,
    /** Null where `decrypt` throws: for work that concerns other rows too, or that replaces the text. */
    tryDecrypt(encrypted: string, rowId: string): string | null {
      try {
        return decrypt(encrypted, rowId);
      } catch {
        return null;
      }
    },
    encrypt(plain: string, rowId: string): string {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv("aes-256-gcm", first, nonce).setAAD(Buffer.from(rowId));
      const encrypted = Buffer.concat([
        nonce,
        cipher.update(plain, "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `s1.${firstId}.${encrypted.toString("base64url")}`;
    },
    /** True if it was encrypted under the first key. */
    isCurrent: (encrypted: string) => encrypted.startsWith(`s1.${firstId}.`),
  };

  /** @throws `master_key_missing` when no key of that id is known, `master_key_wrong` when it does not fit. */
  function decrypt(encrypted: string, rowId: string): string {
    // Tag and row identify the result: the tag is keyed, and depends on nonce, text and row.
    const name = markOf(encrypted) + rowId;
    let plain = decrypted.get(name);
    if (plain !== undefined) return plain;
    plain = decryptNew(encrypted, rowId);
    if (!decrypted.add(name, plain)) {
      leftOut += 1;
      if (leftOut >= remembered) {
        decrypted.clear();
        leftOut = 0;
      }
    }
    return plain;
  }

  function decryptNew(encrypted: string, rowId: string): string {
    const [version, id, text] = encrypted.split(".");
    const key = byId.get(id ?? "");
    if (version !== "s1" || key === undefined || text === undefined) {
      throw new MarkethookError("master_key_missing", {
        detail: `A secret of ${rowId} was encrypted with the key ${id ?? "of an unknown form"}, which was not given.`,
      });
    }
    const bytes = Buffer.from(text, "base64url");
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE));
      decipher.setAAD(Buffer.from(rowId)).setAuthTag(bytes.subarray(-TAG));
      return Buffer.concat([
        decipher.update(bytes.subarray(NONCE, -TAG)),
        decipher.final(),
      ]).toString("utf8");
    } catch (cause) {
      const detail = `A secret of ${rowId} is damaged, or was encrypted with another key or for another row.`;
      throw new MarkethookError("master_key_wrong", { detail, cause });
    }
  }
}

/** Part of each encrypted text; reveals nothing about the key. */
export function masterKeyId(key: Uint8Array): string {
  if (key.length !== 32) throw new RangeError("a master key has 32 bytes");
  return createHash("sha256")
    .update("markethook key id")
    .update(key)
    .digest("base64url")
    .slice(0, 8);
}

import type { Encryption } from "../../packages/store/src/encryption.ts";

/** Encrypts nothing: a real one is another text each time. */
export const NO_ENCRYPTION: Encryption = {
  encrypt: (plain) => plain,
  decrypt: (encrypted) => encrypted,
  tryDecrypt: (encrypted) => encrypted,
  isCurrent: () => true,
};

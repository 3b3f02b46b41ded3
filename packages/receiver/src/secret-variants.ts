import { standardKey } from "@markethook/protocol";

import type { CauseCode } from "./cause.ts";

/** A key that the signer may have used, given the secret that the receiver was configured with. */
export interface KeyVariant {
  /** The fault in the configured secret; null for the secret as it is. */
  code: CauseCode | null;
  key: string | Buffer;
  /** The key is the secret decoded from base64, as `webhook-signature` wants it. */
  decoded: boolean;
}

export function secretVariants(secret: string): KeyVariant[] {
  const variants = asTextAndDecoded(null, secret);
  const trimmed = secret.trim();
  if (trimmed !== secret) variants.push(...asTextAndDecoded("secret_blanks", trimmed));
  const unquoted = /^(["'`])(.+)\1$/s.exec(trimmed)?.[2];
  if (unquoted !== undefined) variants.push(...asTextAndDecoded("secret_quoted", unquoted));
  if (trimmed.startsWith("whsec_")) {
    variants.push({ code: "secret_prefix_added", key: trimmed.slice(6), decoded: false });
  } else {
    variants.push({ code: "secret_prefix_removed", key: `whsec_${trimmed}`, decoded: false });
  }
  const inner = standardKey(trimmed);
  const innerDecoded = inner && isPrintable(inner) ? standardKey(inner.toString("latin1")) : null;
  if (innerDecoded) variants.push({ code: "secret_encoded", key: innerDecoded, decoded: true });
  return variants;
}

function asTextAndDecoded(code: CauseCode | null, secret: string): KeyVariant[] {
  const decoded = standardKey(secret);
  return [
    { code, key: secret, decoded: false },
    ...(decoded === null ? [] : [{ code, key: decoded, decoded: true }]),
  ];
}

export function isPrintable(key: string | Buffer): boolean {
  return /^[\x20-\x7e]+$/.test(key.toString("latin1"));
}

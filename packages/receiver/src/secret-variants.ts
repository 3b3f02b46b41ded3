import { standardText } from "@markethook/protocol/secret";

import type { CauseCode } from "./cause.ts";
import type { MacKey } from "./mac.ts";

/** A key that the signer may have used, given the secret that the receiver was configured with. */
export interface KeyVariant {
  /** The fault in the configured secret; null for the secret as it is. */
  code: CauseCode | null;
  key: MacKey;
}

export function secretVariants(secret: string): KeyVariant[] {
  const variants = asTextAndDecoded(null, secret);
  const trimmed = secret.trim();
  if (trimmed !== secret) variants.push(...asTextAndDecoded("secret_blanks", trimmed));
  const unquoted = /^(["'`])(.+)\1$/s.exec(trimmed)?.[2];
  if (unquoted !== undefined) variants.push(...asTextAndDecoded("secret_quoted", unquoted));
  variants.push(
    trimmed.startsWith("whsec_")
      ? { code: "secret_prefix_added", key: asText(trimmed.slice(6)) }
      : { code: "secret_prefix_removed", key: asText(`whsec_${trimmed}`) },
  );
  const outer = standardText(trimmed);
  const inner = outer === null ? null : readable({ text: outer, encoding: "base64" });
  const decoded = inner === null ? null : decodedFrom(inner);
  if (decoded !== null) variants.push({ code: "secret_encoded", key: decoded });
  return variants;
}

function asTextAndDecoded(code: CauseCode | null, secret: string): KeyVariant[] {
  const decoded = decodedFrom(secret);
  return [{ code, key: asText(secret) }, ...(decoded === null ? [] : [{ code, key: decoded }])];
}

export function asText(text: string): MacKey {
  return { text, encoding: "utf8" };
}

/** As `webhook-signature` wants it; null where the secret is not base64. */
export function decodedFrom(secret: string): MacKey | null {
  const text = standardText(secret);
  return text === null ? null : { text, encoding: "base64" };
}

/** The key as a text that somebody could have written; null where it is none. */
export function readable({ text, encoding }: MacKey): string | null {
  const bytes = encoding === "utf8" ? text : atob(text);
  return /^[\x20-\x7e]+$/.test(bytes) ? bytes : null;
}

/**
 * The search for why a signature does not fit. It runs only after verifying has failed, undoes one usual fault at
 * a time, and asks whether the signature fits then. What it finds out is said in words and never makes a request
 * pass. A body is parsed here before it is verified, but only to be printed again and hashed.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

import { type HeaderNames, LIMITS, STANDARD_HEADERS, standardKey } from "@markethook/protocol";

import { bodyVariants } from "./body-variants.ts";
import { type Cause, cause, type CauseCode } from "./cause.ts";
import { findSignatures, type FoundSignature } from "./found-signatures.ts";
import type { HeaderReader } from "./headers.ts";
import { isPrintable, type KeyVariant, secretVariants } from "./secret-variants.ts";

export interface Suspect {
  body: ArrayBufferView;
  headers: HeaderReader;
  names: HeaderNames;
  secrets: readonly string[];
}

/** No request of ours is larger; a forger's larger one is not worth the work, nor is a long list of secrets. */
const LARGEST_BODY = 2 * LIMITS.eventBytes;
const MOST_SECRETS = 8;

/** The most certain cause first; empty where no header holds anything like a signature and nothing else shows. */
export function diagnose(suspect: Suspect): Cause[] {
  const found = findSignatures(suspect.headers);
  const body = Buffer.from(suspect.body.buffer, suspect.body.byteOffset, suspect.body.byteLength);
  const proven =
    found.length === 0 || body.length > LARGEST_BODY ? [] : prove(suspect, body, found);
  const codes = proven.length > 0 ? proven : likely(suspect, body, found);
  return codes.map((code) => explained(code, suspect, found));
}

function prove(suspect: Suspect, body: Buffer, found: readonly FoundSignature[]): CauseCode[] {
  const secrets = suspect.secrets.slice(0, MOST_SECRETS);
  const prefix = standardPrefix(suspect.headers);
  for (const variant of secrets.flatMap(secretVariants)) {
    for (const style of ["plain", "standard"] as const) {
      const signature = fitting(found, digest(style, body, variant.key, prefix));
      if (signature === undefined) continue;
      const faults = faultsOf(signature, style, variant, suspect.names);
      if (faults.length > 0) return faults;
    }
  }
  for (const { code, bytes } of bodyVariants(body)) {
    // One of two signatures may fit the body as it is; that is no fault of the body.
    if (body.equals(bytes)) continue;
    for (const secret of secrets) {
      const decoded = standardKey(secret);
      const fits =
        fitting(found, digest("plain", bytes, secret, prefix)) ??
        (decoded && fitting(found, digest("standard", bytes, decoded, prefix)));
      if (fits) return [code];
    }
  }
  return [];
}

type Style = "plain" | "standard";

/** What a signature of that style holds; null where the headers that it covers are missing. */
function digest(
  style: Style,
  body: Uint8Array,
  key: string | Buffer,
  prefix: string | null,
): Buffer | null {
  if (style === "plain") return createHmac("sha256", key).update(body).digest();
  return prefix === null ? null : createHmac("sha256", key).update(prefix).update(body).digest();
}

function fitting(
  found: readonly FoundSignature[],
  expected: Buffer | null,
): FoundSignature | undefined {
  if (expected === null) return undefined;
  return found.find((signature) => timingSafeEqual(expected, signature.digest));
}

function standardPrefix(headers: HeaderReader): string | null {
  const id = headers.one(STANDARD_HEADERS.id);
  const timestamp = headers.one(STANDARD_HEADERS.timestamp);
  return id === undefined || timestamp === undefined ? null : `${id}.${timestamp}.`;
}

/** How a signature that fits differs from one that would have been accepted. */
function faultsOf(
  signature: FoundSignature,
  style: Style,
  variant: KeyVariant,
  names: HeaderNames,
): CauseCode[] {
  const faults: CauseCode[] = [];
  if (variant.code !== null) faults.push(variant.code);
  if (style === "plain" && variant.decoded) {
    // Where the decoded key is readable text, the configured secret is more likely to be the wrapped one.
    faults.push(isPrintable(variant.key) ? "secret_encoded" : "secret_decoded");
  }
  if (style === "standard" && !variant.decoded) faults.push("secret_not_decoded");

  const inStandardHeader = signature.header === STANDARD_HEADERS.signature;
  if (!inStandardHeader && isForeign(signature.header, names)) faults.push("other_service_name");
  const home = signature.form === "v1" || style === "standard";
  if (home !== inStandardHeader) faults.push("wrong_header");
  else if (signature.form === "upper_case") faults.push("signature_upper_case");
  else if (signature.form === "prefixed") faults.push("signature_prefixed");
  else if (signature.form === "base64") faults.push("signature_base64");
  return faults;
}

function isForeign(header: string, names: HeaderNames): boolean {
  const own = [names.signature, names.signatureNext].map((name) => name.toLowerCase());
  return header !== STANDARD_HEADERS.signature && !own.includes(header);
}

function likely(suspect: Suspect, body: Buffer, found: readonly FoundSignature[]): CauseCode[] {
  const codes: CauseCode[] = [];
  if (body.length === 0) codes.push("body_empty");
  if (body.toString("latin1", 0, 32) === "[object Object]") codes.push("body_is_object_text");
  if (body.includes(Buffer.from("\uFFFD"))) codes.push("body_lost_characters");
  if (body[0] === 0x1f && body[1] === 0x8b) codes.push("body_compressed");
  if (suspect.secrets.some(isPlaceholder)) codes.push("secret_placeholder");
  const onlyStandard = found.every(({ header }) => header === STANDARD_HEADERS.signature);
  if (onlyStandard && found.length > 0 && suspect.secrets.some((s) => standardKey(s) === null)) {
    codes.push("secret_not_base64");
  }
  if (found.some(({ header }) => isForeign(header, suspect.names))) {
    codes.push("other_service_header");
  } else if (codes.length === 0 && found.length > 0) {
    codes.push("other_secret");
  }
  return codes;
}

function isPlaceholder(secret: string): boolean {
  return /^(undefined|null|none|changeme|\[object .*|<.*>|\$\{?\w+\}?|%\w+%)$/i.test(secret.trim());
}

function explained(code: CauseCode, suspect: Suspect, found: readonly FoundSignature[]): Cause {
  if (code !== "other_service_name" && code !== "other_service_header") return cause(code);
  const header = found.find((signature) => isForeign(signature.header, suspect.names))?.header;
  const name = header?.replace(/^x-/, "").replace(/-signature(-next)?$/, "");
  return cause(
    code,
    `The header is ${header}, so the name is "${name}"; its case does not matter.`,
  );
}

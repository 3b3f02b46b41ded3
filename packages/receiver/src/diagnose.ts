/**
 * The search for why a signature does not fit. It runs only after verifying has failed, undoes one usual fault at
 * a time, and asks whether the signature fits then. Its result is only described and never makes a request
 * pass. A body is parsed here before it is verified, but only to be re-serialized and hashed.
 */
import { type HeaderNames, STANDARD_HEADERS } from "@markethook/protocol/header-names";

import { bodyVariants } from "./body-variants.ts";
import { isSameBytes, latin1Text } from "./bytes.ts";
import { type Cause, type CauseCode, SHOWN_CAUSES } from "./cause.ts";
import { findSignatures, type FoundSignature } from "./found-signatures.ts";
import type { HeaderReader } from "./headers.ts";
import type { MacJob, MacKey, MacSteps } from "./mac.ts";
import { isSameText } from "./signatures.ts";
import { SearchBudget } from "./search-budget.ts";
import { SEARCHED_CAUSES } from "./searched-causes.ts";
import {
  asText,
  decodedFrom,
  type KeyVariant,
  readable,
  secretVariants,
} from "./secret-variants.ts";
import type { Suspect } from "./verify-steps.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Of a larger one nothing is made that may have been signed. Few bodies of ours are as large. */
const LARGEST_BODY = 64 * 1024;
const MOST_SECRETS = 8;

/** The most certain cause first; empty where no header holds anything like a signature and nothing else shows. */
export function* diagnose(suspect: Suspect): MacSteps<Cause[]> {
  const found = findSignatures(suspect.headers);
  const budget = new SearchBudget();
  const proven = found.length === 0 ? [] : yield* prove(suspect, found, budget);
  const codes = proven.length > 0 ? proven : likely(suspect, found, budget);
  return codes.map((code) => explained(code, suspect, found));
}

function* prove(
  { body, headers, names, secrets: all }: Suspect,
  found: readonly FoundSignature[],
  budget: SearchBudget,
): MacSteps<CauseCode[]> {
  const secrets = all.slice(0, MOST_SECRETS);
  if (secrets.length < all.length || body.length > LARGEST_BODY) budget.isIncomplete = true;
  const prefix = standardPrefix(headers);
  for (const variant of secrets.flatMap(secretVariants)) {
    for (const style of ["plain", "standard"] as const) {
      const signature = yield* fitting(found, macJob(style, body, variant.key, prefix), budget);
      if (signature === undefined) continue;
      const faults = faultsOf(signature, style, variant, names);
      if (faults.length > 0) return faults;
    }
  }
  if (body.length > LARGEST_BODY) return [];
  for (const { code, bytes } of bodyVariants(body, budget)) {
    // One of two signatures may fit the body as it is; that is no fault of the body.
    if (isSameBytes(body, bytes)) continue;
    for (const secret of secrets) {
      const decoded = decodedFrom(secret);
      const fits =
        (yield* fitting(found, macJob("plain", bytes, asText(secret), prefix), budget)) ??
        (decoded && (yield* fitting(found, macJob("standard", bytes, decoded, prefix), budget)));
      if (fits) return [code];
    }
  }
  return [];
}

type Style = "plain" | "standard";

/** The input of a signature of that style; null if the headers that it covers are missing. */
function macJob(style: Style, body: Bytes, key: MacKey, prefix: string | null): MacJob | null {
  const head = style === "plain" ? "" : prefix;
  return head === null ? null : { key, head, body, as: "hex" };
}

function* fitting(
  found: readonly FoundSignature[],
  job: MacJob | null,
  budget: SearchBudget,
): MacSteps<FoundSignature | undefined> {
  if (job === null || !budget.take(job.head.length + job.body.length)) return undefined;
  const expected = yield job;
  return found.find((signature) => isSameText(expected, signature.digest));
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
  const isDecoded = variant.key.encoding === "base64";
  if (style === "plain" && isDecoded) {
    // Where the decoded key is readable text, the configured secret is more likely to be the wrapped one.
    faults.push(readable(variant.key) !== null ? "secret_encoded" : "secret_decoded");
  }
  if (style === "standard" && !isDecoded) faults.push("secret_not_decoded");

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

function likely(
  suspect: Suspect,
  found: readonly FoundSignature[],
  budget: SearchBudget,
): CauseCode[] {
  const { body } = suspect;
  const codes: CauseCode[] = [];
  if (body.length === 0) codes.push("body_empty");
  if (latin1Text(body.subarray(0, 32)) === "[object Object]") codes.push("body_is_object_text");
  if (body[0] === 0x1f && body[1] === 0x8b) codes.push("body_compressed");
  else if (hasLostCharacters(body)) codes.push("body_lost_characters");
  if (suspect.secrets.some(isPlaceholder)) codes.push("secret_placeholder");
  const onlyStandard = found.every(({ header }) => header === STANDARD_HEADERS.signature);
  if (onlyStandard && found.length > 0 && suspect.secrets.some((s) => decodedFrom(s) === null)) {
    codes.push("secret_not_base64");
  }
  if (found.some(({ header }) => isForeign(header, suspect.names))) {
    codes.push("other_service_header");
  } else if (codes.length === 0 && found.length > 0) {
    codes.push(budget.isIncomplete ? "search_incomplete" : "other_secret");
  }
  return codes;
}

/** It holds U+FFFD, or is not UTF-8, which becomes U+FFFD here. */
function hasLostCharacters(body: Bytes): boolean {
  return new TextDecoder().decode(body).includes("\uFFFD");
}

function isPlaceholder(secret: string): boolean {
  return /^(undefined|null|none|changeme|\[object .*|<.*>|\$\{?\w+\}?|%\w+%)$/i.test(secret.trim());
}

function explained(code: CauseCode, suspect: Suspect, found: readonly FoundSignature[]): Cause {
  if (code !== "other_service_name" && code !== "other_service_header") return anyCause(code);
  const header = found.find((signature) => isForeign(signature.header, suspect.names))?.header;
  const name = header?.replace(/^x-/, "").replace(/-signature(-next)?$/, "");
  return anyCause(
    code,
    `The header is ${header}, so the name is "${name}"; its case does not matter.`,
  );
}

const ALL_CAUSES: Readonly<Record<CauseCode, string>> = { ...SHOWN_CAUSES, ...SEARCHED_CAUSES };

/** All codes, for documentation and its tests. */
export const CAUSE_CODES: readonly string[] = Object.keys(ALL_CAUSES);

/** `detail` names what exactly was found; it holds neither secrets nor payload. */
function anyCause(code: CauseCode, detail?: string): Cause {
  return {
    code,
    sentence: detail === undefined ? ALL_CAUSES[code] : `${ALL_CAUSES[code]} ${detail}`,
  };
}

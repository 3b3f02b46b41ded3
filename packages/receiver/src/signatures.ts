import { type HeaderNames, STANDARD_HEADERS } from "@markethook/protocol/header-names";
import { standardText } from "@markethook/protocol/secret";

import type { HeaderReader } from "./headers.ts";
import type { MacJob } from "./mac.ts";
import type { SignatureMatch, VerifyFailureCode } from "./result.ts";

export interface SignatureProblem {
  code: VerifyFailureCode;
  sentence: string;
}

interface Candidate {
  header: string;
  value: string;
}

/** The signatures of a request that have the right form, and the faults of the others. */
export interface Candidates {
  /** 64 lower- or upper-case hex digits each. */
  plain: Candidate[];
  /** `v1,` and base64 of 32 bytes each. Empty unless id and timestamp came along. */
  standard: Candidate[];
  id: string;
  /** Unix seconds. */
  timestamp: number;
  /** Whether headers of that style came at all, whatever they hold. */
  came: { plain: boolean; standard: boolean };
  problems: { plain: SignatureProblem[]; standard: SignatureProblem[] };
  /** Set when a header came twice: nobody can say which of two values a proxy in between looked at. */
  refusal: SignatureProblem | null;
}

const ALL_STANDARD = Object.values(STANDARD_HEADERS);
const HEX = /^[0-9a-fA-F]{64}$/;
const STANDARD_VALUE = /^v1,[A-Za-z0-9+/]{43}=$/;
const OTHER_STANDARD_VALUE = /^(?!v1,)[A-Za-z0-9]+,[A-Za-z0-9+/=_-]+$/;
/** No leading zeros: what is signed is the number's own text. */
const SECONDS = /^(0|[1-9][0-9]{0,14})$/;

export function collectSignatures(headers: HeaderReader, names: HeaderNames): Candidates {
  const found: Candidates = {
    plain: [],
    standard: [],
    id: "",
    timestamp: 0,
    came: { plain: false, standard: false },
    problems: { plain: [], standard: [] },
    refusal: null,
  };
  collectPlain(headers, names.signature, found);
  collectPlain(headers, names.signatureNext, found);
  collectStandard(headers, found);
  return found;
}

function collectPlain(headers: HeaderReader, header: string, found: Candidates): void {
  const [value, second] = headers.all(header);
  if (value === undefined) return;
  found.came.plain = true;
  // Most hosts join a repeated header with commas; the other style's value has one of its own.
  if (second !== undefined || (value.includes(",") && !/^v[0-9]+a?,/.test(value))) {
    found.refusal ??= twice(header);
  } else if (HEX.test(value)) {
    found.plain.push({ header, value });
  } else {
    found.problems.plain.push(malformed(`The header ${header} is not 64 hexadecimal digits.`));
  }
}

function collectStandard(headers: HeaderReader, found: Candidates): void {
  const [value] = headers.all(STANDARD_HEADERS.signature);
  if (value === undefined) return;
  found.came.standard = true;
  const problems = found.problems.standard;
  for (const header of ALL_STANDARD) {
    if (headers.came(header) > 1) found.refusal ??= twice(header);
  }
  const candidates: Candidate[] = [];
  for (const part of value.split(" ")) {
    if (STANDARD_VALUE.test(part)) {
      candidates.push({ header: STANDARD_HEADERS.signature, value: part });
    } else if (part.endsWith(",")) {
      found.refusal ??= twice(STANDARD_HEADERS.signature);
    } else if (!OTHER_STANDARD_VALUE.test(part)) {
      problems.push(malformed("The header webhook-signature is not a list of `v1,` values."));
    }
  }
  if (candidates.length === 0) {
    if (problems.length === 0) {
      problems.push(malformed("The header webhook-signature has no `v1,` value."));
    }
    return;
  }
  const id = headers.one(STANDARD_HEADERS.id);
  const timestamp = headers.one(STANDARD_HEADERS.timestamp);
  if (id === undefined || id === "" || timestamp === undefined) {
    const sentence = "webhook-signature came without webhook-id or webhook-timestamp.";
    problems.push(malformed(sentence));
  } else if (SECONDS.test(timestamp)) {
    found.standard = candidates;
    found.id = id;
    found.timestamp = Number(timestamp);
  } else {
    const sentence = "webhook-timestamp is not Unix seconds. Pass the header's value unchanged.";
    problems.push({ code: "timestamp_malformed", sentence });
  }
}

function malformed(what: string): SignatureProblem {
  return { code: "signature_malformed", sentence: `${what} Pass the header's value unchanged.` };
}

function twice(header: string): SignatureProblem {
  return {
    code: "signature_malformed",
    sentence: `The header ${header} came more than once. Look for a proxy that adds headers.`,
  };
}

export interface SignatureMatches {
  plain: SignatureMatch[];
  standard: SignatureMatch[];
}

/** An HMAC that some of the candidates should be. */
export interface ExpectedMac extends MacJob {
  secretIndex: number;
}

/** The HMACs to compute: of each style that came, under each secret. */
export function expectedMacs(
  body: Uint8Array<ArrayBuffer>,
  found: Candidates,
  secrets: readonly string[],
): ExpectedMac[] {
  const jobs: ExpectedMac[] = [];
  const head = `${found.id}.${found.timestamp}.`;
  let secretIndex = 0;
  for (const secret of secrets) {
    if (found.plain.length > 0) {
      jobs.push({
        key: { text: secret, encoding: "utf8" },
        head: "",
        body,
        as: "hex",
        secretIndex,
      });
    }
    const text = found.standard.length > 0 ? standardText(secret) : null;
    if (text !== null) {
      jobs.push({ key: { text, encoding: "base64" }, head, body, as: "base64", secretIndex });
    }
    secretIndex += 1;
  }
  return jobs;
}

/**
 * Every candidate is compared with every secret, also after a match, so that the time taken tells nothing about
 * which of them fitted. Texts are compared, not decoded bytes: base64 has several spellings of the same bytes.
 */
export function matchSignatures(
  found: Candidates,
  jobs: readonly ExpectedMac[],
  /** Of the jobs, in their order. */
  macs: readonly string[],
): SignatureMatches {
  const matches: SignatureMatches = { plain: [], standard: [] };
  jobs.forEach(({ as, secretIndex }, index) => {
    const style = as === "hex" ? "plain" : "standard";
    const expected = (as === "hex" ? "" : "v1,") + (macs[index] ?? "");
    for (const { header, value } of found[style]) {
      if (isSameText(expected, value)) matches[style].push({ header, secretIndex });
    }
  });
  return matches;
}

/**
 * Whether two texts of ASCII are the same. Takes as long for each two of one length, so that the time tells nothing
 * about where they differ.
 */
export function isSameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index += 1) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  }
  return difference === 0;
}

/**
 * The signatures that an accepted request must have. `webhook-signature` covers body, id and time of sending,
 * `X-{Service}-Signature` the body alone. Anyone who captured a request can take headers away and change what no
 * signature covers, so a request is judged by what must be there, and not by the best of what is there.
 */
import { type HeaderNames, STANDARD_HEADERS } from "@markethook/protocol/header-names";
import { standardText } from "@markethook/protocol/secret";

import { type Cause, cause } from "./cause.ts";
import type { SignatureMatch, VerifyFailureCode } from "./result.ts";
import type { Candidates, SignatureMatches, SignatureProblem } from "./signatures.ts";

/**
 * `standard`: `webhook-signature` must fit and its time be near, and an `X-{Service}-Signature` or `-Next` that came
 * along must fit too. `service`: `X-{Service}-Signature` or `-Next` must fit, and a `webhook-signature` that came
 * along too, but only where the secret can make one.
 */
export type RequiredStyle = "standard" | "service";

export interface Evidence {
  found: Candidates;
  matches: SignatureMatches;
  secrets: readonly string[];
  names: HeaderNames;
  required: RequiredStyle;
  /** Seconds from the time of sending to now. */
  late: number;
  toleranceSeconds: number;
}

export interface SignatureRefusal {
  code: VerifyFailureCode;
  /** In place of the code's own. */
  sentence?: string;
  /** Added to the code's own. */
  remark?: string;
  /** Known causes; null where a search for causes may find more. */
  causes: readonly Cause[] | null;
  /** The cause where that search finds none: the other style fits, so it is no other secret. */
  otherwise?: Cause;
}

export function judgeSignatures(
  evidence: Evidence,
): { accepted: SignatureMatch[] } | { refusal: SignatureRefusal } {
  const refusal =
    (isPlainWanted(evidence) ? plainRefusal(evidence) : null) ??
    (isStandardWanted(evidence) ? standardRefusal(evidence) : null);
  if (refusal !== null) return { refusal };
  const { plain, standard } = evidence.matches;
  return { accepted: [...plain, ...(isNear(evidence) ? standard : [])] };
}

function isPlainWanted({ found, required }: Evidence): boolean {
  return required === "service" || found.came.plain;
}

function isStandardWanted(evidence: Evidence): boolean {
  const { found, matches, required } = evidence;
  if (required === "standard") return true;
  return found.came.standard && matches.plain.some((match) => isStandardSecret(evidence, match));
}

function isNear({ late, toleranceSeconds }: Evidence): boolean {
  return Math.abs(late) <= toleranceSeconds;
}

function plainRefusal({ found, matches, names }: Evidence): SignatureRefusal | null {
  if (!found.came.plain) return missing(names.signature, found.came.standard);
  const [problem] = found.problems.plain;
  if (problem !== undefined) return unusable(problem);
  if (matches.plain.length > 0) return null;
  const headers = found.plain.map(({ header }) => header).join(" or ");
  return mismatch(headers, matches.standard.length > 0 ? STANDARD_HEADERS.signature : null);
}

function standardRefusal(evidence: Evidence): SignatureRefusal | null {
  const { found, matches } = evidence;
  const fitting = matches.plain[0]?.header ?? null;
  if (!found.came.standard) {
    const causes = fitting === null ? null : [cause("standard_headers_missing")];
    return { ...missing(STANDARD_HEADERS.signature, found.came.plain), causes };
  }
  if (matches.standard.length > 0) return isNear(evidence) ? null : tooFar(evidence);
  const [problem] = found.problems.standard;
  if (problem !== undefined && found.standard.length === 0) return unusable(problem);
  const canMakeOne = matches.plain.every((match) => isStandardSecret(evidence, match));
  const otherwise = cause(canMakeOne ? "standard_headers_changed" : "secret_not_base64");
  return { ...mismatch(STANDARD_HEADERS.signature, fitting), otherwise };
}

function isStandardSecret({ secrets }: Evidence, { secretIndex }: SignatureMatch): boolean {
  return standardText(secrets[secretIndex] ?? "") !== null;
}

function missing(header: string, otherCame: boolean): SignatureRefusal {
  const required = `The header ${header} is required and did not come.`;
  const words = otherCame ? { sentence: required } : { remark: required };
  return { code: "signature_missing", ...words, causes: null };
}

function unusable({ code, sentence }: SignatureProblem): SignatureRefusal {
  return { code, sentence, causes: null };
}

function mismatch(header: string, fitting: string | null): SignatureRefusal {
  const remark = fitting === null ? {} : { remark: `It is ${header}; ${fitting} fits.` };
  return { code: "signature_mismatch", ...remark, causes: null };
}

function tooFar({ found, late }: Evidence): SignatureRefusal {
  const inMilliseconds = found.timestamp > 100_000_000_000;
  const detail = `It says ${Math.abs(late)} seconds ${late > 0 ? "ago" : "ahead"}.`;
  return {
    code: "timestamp_out_of_tolerance",
    causes: [inMilliseconds ? cause("timestamp_in_milliseconds") : cause("clock", detail)],
  };
}

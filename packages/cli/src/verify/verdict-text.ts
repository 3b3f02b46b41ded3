import { ERRORS, STANDARD_HEADERS } from "@markethook/protocol";
import type { VerifyFailure } from "@markethook/receiver";
import type { EachVerdict } from "../verify-each-signature.ts";
import type { Output } from "../output/output.ts";
import { visible } from "../output/visible-text.ts";

/** For `--json`: a line per request. */
export function verdictValue(verdict: EachVerdict): object {
  if (!verdict.ok) {
    const { ok: _, ...failure } = verdict;
    return { valid: false, ...failure };
  }
  const { kind: _, ok: __, matches, ...rest } = verdict;
  return { valid: true, ...rest, matches };
}

const NOT_STANDARD =
  '   Nothing covers webhook-id and the time: the receiver library takes it with require: "service" only.';

export function verdictText(
  verdict: EachVerdict,
  /** Of the request, where there are several. */
  number: number | null,
  out: Output,
  explain: boolean,
): string {
  const start = number === null ? "" : `${number}. `;
  if (verdict.ok) {
    const { event, time } = verdict.kind === "event" ? verdict.event : verdict.envelope;
    const by = [...new Set(verdict.matches.map(({ header }) => header))].join(" and ");
    const isStandard = verdict.matches.some(({ header }) => header === STANDARD_HEADERS.signature);
    return [
      `${start}${out.style("green", "valid")}: ${visible(event)} of ${dateOf(time)}${verdict.kind === "unknown" ? " (unknown event)" : ""}`,
      `   by ${visible(by)}${verdict.id === undefined ? "" : ` · ${visible(verdict.id)}`}`,
      ...(isStandard ? [] : [NOT_STANDARD]),
    ].join("\n");
  }
  const sentence = verdict.wrong === undefined ? refusalSentence(verdict) : verdict.sentence;
  const lines = [`${start}${out.style("red", "invalid")}: ${visible(sentence)} [${verdict.code}]`];
  if (!explain) lines.push("   --explain looks for the likely cause.");
  else if (verdict.causes.length === 0) lines.push("   No further cause was found.");
  for (const { code, sentence } of verdict.causes) {
    lines.push(`   Likely cause: ${visible(sentence)} [${code}]`);
  }
  return lines.join("\n");
}

function dateOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `time ${seconds}` : date.toISOString();
}

/** Without the advice to look at the library's `causes`, which are printed below it. */
export function refusalSentence({ code, sentence }: VerifyFailure): string {
  return code === "signature_mismatch" ? ERRORS[code].title : sentence;
}

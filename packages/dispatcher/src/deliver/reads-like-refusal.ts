import { jsonObject } from "@markethook/protocol";

/** Only the beginning of a body is read: pages are long, and contain all kinds of words. */
const READ = 1000;
const SHOWN = 200;

const REFUSED_BY_WORD = [
  /^(error|fail(ed|ure)?|refused|rejected|denied|forbidden|unauthori[sz]ed|exception)\b/i,
  /\b(invalid|bad|wrong|missing|incorrect|mismatched|unknown)[\s_-]+(webhook[\s_-]+)?(signature|secret|hmac|token|payload|request|credentials|event|timestamp)\b/i,
  /\b(signature|secret|hmac|verification|authentication|authori[sz]ation)\b[^.!?\n]{0,30}\b(invalid|wrong|missing|incorrect|failed|failure|mismatch|rejected|refused|(does|did) ?n[o'’]t match|do not match)\b/i,
  /\b(unauthori[sz]ed|forbidden|access denied|permission denied|not authori[sz]ed|not allowed|bad request|internal server error|(page|route|endpoint) not found|404 not found)\b/i,
];

const REFUSING_VALUES = /^(error|fail(ed|ure)?|refused|rejected|denied|invalid|unauthori[sz]ed)$/i;

/**
 * Returns the beginning of a body that reads like a refusal, for an answer whose status says accepted; null for any
 * other body. It is a guess for people: no decision depends on it.
 */
export function readsLikeRefusal(body: string): string | null {
  const text = body
    .slice(0, READ)
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const refused = refusesAsJson(body) ?? REFUSED_BY_WORD.some((pattern) => pattern.test(text));
  if (!refused) return null;
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…`.toWellFormed() : text;
}

/** Null: its members do not say it, or it is no JSON object. */
function refusesAsJson(body: string): boolean | null {
  const members = jsonObject(body);
  if (members === null) return null;
  const verdicts = new Set(
    ["ok", "success", "valid", "verified", "accepted"].map((name) => members[name]),
  );
  if (verdicts.has(false)) return true;
  if (verdicts.has(true)) return false;
  if (["error", "errors"].some((name) => isSaid(members[name]))) return true;
  const words = [members["status"], members["result"]];
  return words.some((word) => typeof word === "string" && REFUSING_VALUES.test(word)) ? true : null;
}

function isSaid(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

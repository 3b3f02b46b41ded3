import { ERRORS, type ErrorEntry } from "@markethook/protocol";
import type { FuzzRequest } from "./make-request.ts";
import type { Answer } from "./send-request.ts";

const CATALOGUE = new Map<string, ErrorEntry>(Object.entries(ERRORS));

/** Lines of a stack, paths of sources, and what databases and engines say in their own words. */
const INSIDES =
  /\n\s+at .+:\d+:\d+|node:internal|file:\/\/\/|\/packages\/[a-z]+\/src\/|\bSQLITE_[A-Z]+|\bSqliteError|pg_catalog|syntax error at or near|(?:Type|Range|Reference)Error:/;

/** What is wrong with an answer, which may take so long; null for nothing. */
export function judge(
  request: FuzzRequest,
  answer: Answer,
  raw: boolean,
  longestMs: number,
): string | null {
  const { status, body, ms } = answer;
  if (ms > longestMs) return `the answer took ${Math.round(ms)} ms`;
  if (INSIDES.test(body)) return "the answer shows insides";
  if (status === null) return raw ? null : "the connection ended without an answer";
  if (raw) return status >= 500 && status !== 503 ? `the status is ${status}` : null;
  if (request.method === "HEAD") return status >= 500 ? `the status is ${status}` : null;
  if (status < 400) return judgeSuccess(request, status);

  if (answer.contentType !== "application/problem+json; charset=utf-8") {
    return `a ${status} with the type ${answer.contentType}`;
  }
  const code = /"code":"(\w+)"/.exec(body)?.[1] ?? "";
  if (CATALOGUE.get(code)?.status !== status) return `a ${status} with the code ${code}`;
  if (status >= 500 && status !== 503) return `the status is ${status}`;
  if (answer.retryAfter !== (status === 503 || status === 429)) return "Retry-After is amiss";
  // A liveness check has its own words in it.
  return body.length > 6000 ? `a problem of ${body.length} bytes` : null;
}

function judgeSuccess({ operation, method }: FuzzRequest, status: number): string | null {
  if (operation === null || method !== operation.method) return null;
  return operation.statuses.has(status) ? null : `the undocumented status ${status}`;
}

import { type ErrorCode, type ErrorDetail, errorEntry } from "@markethook/protocol";

/** RFC 9457 problem details, with our stable `code`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  pointer?: string;
  requestId: string;
  errors?: FieldProblem[];
}

export interface FieldProblem {
  code: ErrorCode;
  pointer: string;
  detail: string;
}

export const PROBLEM_CONTENT_TYPE = "application/problem+json; charset=utf-8";

/** The page that explains codes. It is relative, so that it works behind any proxy that keeps our paths. */
export const ERROR_PAGE = "/docs/errors";

export function makeProblem(
  code: ErrorCode,
  requestId: string,
  detail: Pick<ErrorDetail, "detail" | "pointer"> = {},
  errors: FieldProblem[] = [],
): Problem {
  const entry = errorEntry(code);
  // A code of another part of the system has no status. A route that lets it out has a bug.
  if (entry.status === undefined) return makeProblem("internal", requestId);
  const problem: Problem = {
    type: `${ERROR_PAGE}#${code}`,
    title: entry.title,
    status: entry.status,
    code,
    detail: withAdvice(code, detail.detail),
    requestId,
  };
  if (detail.pointer !== undefined) problem.pointer = detail.pointer;
  if (errors.length > 1) problem.errors = errors;
  return problem;
}

/** What happened, if the title does not say it already, and what to do. */
export function withAdvice(code: ErrorCode, detail: string | undefined): string {
  const { title, advice } = errorEntry(code);
  return detail === undefined || detail === title ? advice : `${detail} ${advice}`;
}

/** A header of a problem, for which callers have something to do. */
interface ProblemHeader {
  name: string;
  /** For the OpenAPI document. */
  description: string;
  schema: object;
  value(detail: ErrorDetail): string;
}

const RETRY_AFTER: ProblemHeader = {
  name: "Retry-After",
  description: "Seconds to wait before the next try",
  schema: { type: "integer", minimum: 1 },
  value: ({ retryAfterSeconds = 1 }) => String(Math.max(1, retryAfterSeconds)),
};

/** By status. */
export const PROBLEM_HEADERS: Readonly<Record<number, ProblemHeader>> = {
  401: {
    name: "WWW-Authenticate",
    description: "How to authenticate: with a key, as a bearer token",
    schema: { type: "string" },
    value: () => 'Bearer realm="markethook"',
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

export function problemHeaders(status: number, detail: ErrorDetail): Record<string, string> {
  const header = PROBLEM_HEADERS[status];
  return header === undefined ? {} : { [header.name]: header.value(detail) };
}

/** Not imported: an import of `node:http` runs all its getters, and one of them loads Node's `fetch`: 60 ms, 2 MB. */
const { STATUS_CODES } = process.getBuiltinModule("node:http");

/** HTTP's words for a status, like "Not Found"; nothing for a status that has none. */
export function statusText(status: number): string | undefined {
  return STATUS_CODES[status];
}

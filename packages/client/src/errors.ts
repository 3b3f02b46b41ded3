import type { Problem } from "./schemas.ts";

/** A stable code of the catalogue; a newer service may know codes that this client does not. */
export type ProblemCode = Problem["code"] | (string & {});

/** The service refused: its problem document, and facts from its headers. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** As it came. */
  readonly problem: Problem;
  readonly code: ProblemCode;
  /** HTTP status. */
  readonly status: number;
  /** One sentence: what is wrong. */
  readonly title: string;
  /** What was wrong here, and what to do. */
  readonly detail: string;
  /** JSON Pointer into the body, or the name of a parameter. */
  readonly pointer: string | null;
  /** All faulty fields, where there are several. */
  readonly errors: readonly { code: string; pointer: string; detail: string }[];
  /** For the operator, to find it in the log; empty if it was refused before it was sent. */
  readonly requestId: string;
  /** From `Retry-After`, which may be a date. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: Problem, retryAfterSeconds: number | null) {
    const place = problem.pointer === undefined ? "" : ` (${problem.pointer})`;
    const request = problem.requestId === "" ? "" : `, ${problem.requestId}`;
    super(`${problem.title} ${problem.detail} [${problem.code}${place}${request}]`);
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.pointer = problem.pointer ?? null;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Something answered, but not as Markethook does: a proxy's error page, or another service behind `baseUrl`. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
  readonly status: number;
  /** The beginning of the answer. */
  readonly text: string;

  constructor(message: string, status: number, text: string) {
    super(message);
    this.status = status;
    this.text = text.slice(0, 1000);
  }
}

/** `network` is all that a browser tells. */
export type UnreachableReason =
  | "refused"
  | "name_unknown"
  | "no_route"
  | "tls"
  | "timeout"
  | "dropped"
  | "network";

/** No answer came. `cause` is the platform's error. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
  readonly reason: UnreachableReason;
  /** Whether the service may have got the request, and done it. */
  readonly mayHaveArrived: boolean;

  constructor(
    message: string,
    reason: UnreachableReason,
    mayHaveArrived: boolean,
    // Not ErrorOptions, which a project for ES2020 or ES2021 does not know.
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.reason = reason;
    this.mayHaveArrived = mayHaveArrived;
  }
}

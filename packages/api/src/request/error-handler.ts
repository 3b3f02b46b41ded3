import {
  DATABASE_FAULTS,
  isMarkethookError,
  type ErrorCode,
  type ErrorDetail,
} from "@markethook/protocol";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { AppDeps } from "../app-deps.ts";
import type { AllowedMethods } from "./allowed-methods.ts";
import { makeProblem, problemHeaders, PROBLEM_CONTENT_TYPE, type FieldProblem } from "./problem.ts";
import { hasScope } from "../auth/scopes.ts";
import { fieldProblems, type SchemaFault } from "./validation.ts";

/** Errors of Fastify and Node that are the caller's fault. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_NOT_FOUND: "route_not_found",
  FST_ERR_BAD_URL: "parameter_invalid",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
  FST_ERR_ASYNC_CONSTRAINT: "header_invalid",
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "content_type_unsupported",
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: "content_type_unsupported",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "request_malformed",
  FST_ERR_CTP_EMPTY_JSON_BODY: "body_missing",
  FST_ERR_CTP_INVALID_JSON_BODY: "json_invalid",
  // The body's stream broke: the client has most likely left.
  ECONNRESET: "request_malformed",
  ERR_STREAM_PREMATURE_CLOSE: "request_malformed",
};

interface Answer {
  code: ErrorCode;
  detail: ErrorDetail;
  errors?: FieldProblem[];
}

/** Handles every error of a route, a hook or fastify itself. */
export function createErrorHandler(
  { logger, fault }: Pick<AppDeps, "logger" | "fault">,
  allowed: AllowedMethods,
) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const answer = answerFor(error, request);
    if (answer.code === "route_not_found") return sendNotFound(request, reply, allowed);
    // Reports that cannot be stored are the worst fault, so they are counted apart.
    const isReport = request.routeOptions.config.scope === "events:write";
    const where = isReport ? "accept" : "answer a request";
    if (answer.code === "internal") {
      logger.error(
        { where, requestId: request.id, route: request.routeOptions.url ?? null },
        "a request failed for a reason that is not in the catalogue; the next line has it",
      );
      fault(where, error);
    }
    if (DATABASE_FAULTS.has(answer.code)) {
      fault(where, error);
      return sendProblem(reply, request.id, answer.code, shownFault(answer, request));
    }
    sendProblem(reply, request.id, answer.code, answer.detail, answer.errors);
  };
}

const NOTHING_STORED = "Nothing of this request was stored.";
const MAYBE_STORED = "Some or all of this request may have been stored.";
const MAYBE_TWICE = `${MAYBE_STORED} Only events have idempotency keys. For anything else, check first whether it was stored.`;

/** The database's own words are for the operator. Callers learn what may have happened to their request. */
function shownFault(answer: Answer, request: FastifyRequest): ErrorDetail {
  const { detail, nothingStored, ...rest } = answer.detail;
  const isOperator = request.actor !== null && hasScope(request.actor.scopes, "operator:read");
  // The title of `outcome_unknown` says it already.
  const changes = !["GET", "HEAD"].includes(request.method) && answer.code !== "outcome_unknown";
  // The look-up of its key failed, before anything was done.
  const wasAdmitted = request.actor !== null || request.routeOptions.config.scope === "public";
  const isUntouched = nothingStored === true || !wasAdmitted;
  const maybeStored = request.method === "POST" ? MAYBE_TWICE : MAYBE_STORED;
  const sentences = [
    ...(isOperator && detail !== undefined ? [detail] : []),
    ...(changes ? [isUntouched ? NOTHING_STORED : maybeStored] : []),
  ];
  return sentences.length === 0 ? rest : { ...rest, detail: sentences.join(" ") };
}

/** Also used for paths that exist with another method. */
export function sendNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  allowed: AllowedMethods,
): void {
  const methods = allowed(request.url);
  // A path can accept the method and still not exist: a missing file of the reference.
  if (methods.length === 0 || methods.includes(request.method)) {
    return sendProblem(reply, request.id, "route_not_found");
  }
  reply.header("allow", methods.join(", "));
  sendProblem(reply, request.id, "method_not_allowed");
}

export function sendProblem(
  reply: FastifyReply,
  requestId: string,
  code: ErrorCode,
  detail: ErrorDetail = {},
  errors: FieldProblem[] = [],
): void {
  const problem = makeProblem(code, requestId, detail, errors);
  // The route had set these for the answer that it could not give. A fault must not be kept as long as a file.
  for (const name of ["etag", "content-encoding"]) reply.removeHeader(name);
  if (reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  reply
    .code(problem.status)
    .headers(problemHeaders(problem.status, detail))
    .header("content-type", PROBLEM_CONTENT_TYPE)
    // As text, because a route's response schema does not describe problems.
    .send(JSON.stringify(problem));
}

function answerFor(error: FastifyError, request: FastifyRequest): Answer {
  if (isMarkethookError(error)) return { code: error.code, detail: error.detail };
  if (error.validation !== undefined) return validationAnswer(error, request);
  return { code: CODES[error.code] ?? "internal", detail: {} };
}

function validationAnswer(error: FastifyError, request: FastifyRequest): Answer {
  const part = error.validationContext;
  // TypeBox compiled it, so these are its faults.
  const faults = error.validation as unknown as SchemaFault[];
  const schema = request.routeOptions.schema;
  if (part === "body") {
    if (request.body === undefined) return { code: "body_missing", detail: {} };
    return first(fieldProblems(schema?.body, faults, "field_invalid"));
  }
  // An impossible id counts as an unknown id, unless its schema says otherwise.
  if (part === "params") return first(fieldProblems(schema?.params, faults, "not_found"));
  const problems = fieldProblems(
    part === "querystring" ? schema?.querystring : schema?.headers,
    faults,
    "parameter_invalid",
  );
  // Parameters are named, not pointed to.
  for (const problem of problems) problem.pointer = problem.pointer.slice(1);
  return first(problems);
}

function first(problems: FieldProblem[]): Answer {
  const [problem] = problems;
  if (problem === undefined) return { code: "field_invalid", detail: {} };
  // An absent thing has no faulty field: absent and impossible ids get the same answer.
  if (problem.code === "not_found") return { code: "not_found", detail: {} };
  return {
    code: problem.code,
    detail: { detail: problem.detail, pointer: problem.pointer },
    errors: problems,
  };
}

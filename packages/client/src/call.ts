import { given } from "@markethook/protocol/given";
import { isObject } from "@markethook/protocol/json-object";
import type { Client } from "openapi-fetch";
import { ApiError, UnexpectedAnswerError } from "./errors.ts";
import type { paths } from "./generated/api.ts";
import { readRetryAfter } from "./retry-policy.ts";
import type { Problem } from "./schemas.ts";
import type { Fetch, SendOptions } from "./transport.ts";

/** For each call. */
export interface CallOptions {
  /** Ends the call, whatever it waits for; it rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Of one try; otherwise the client's. */
  timeoutMs?: number;
  /** Tries after the first; otherwise the client's. */
  retries?: number;
}

/** Shared by all parts of the client. */
export interface Context {
  api: Client<paths>;
  send: (options?: SendOptions) => Fetch;
  /** Sends once, and returns the answer while its body still comes; refusals are read whole. */
  openStream: Fetch;
  /** The owner that calls act for; null: for everybody. */
  ownerId: string | null;
}

type Answer = { data?: unknown; error?: unknown; response: Response };
type DataOf<A> = A extends { error?: never; data: infer D } ? D : never;

/**
 * Unwraps what openapi-fetch gives: the answer's data, or an `ApiError` thrown. `member`: what our answer has; without
 * it something else answered with JSON of its own, and nothing was stored.
 */
export async function answerOf<A extends Answer>(
  pending: Promise<A>,
  member?: string & keyof DataOf<A>,
): Promise<DataOf<A>> {
  const { data, error, response } = await orUnreadable(pending);
  // That is what `ok` decides in openapi-fetch.
  if (response.ok) {
    if (member === undefined || (isObject(data) && member in data)) return data as DataOf<A>;
    throw new UnexpectedAnswerError(
      `The answer was ${response.status}, without "${member}". Is something else behind baseUrl?`,
      response.status,
      JSON.stringify(data) ?? "",
    );
  }
  if (!isProblem(error)) {
    throw new UnexpectedAnswerError(
      `The answer was ${response.status}, without a problem document. Is a proxy between, or something else behind baseUrl?`,
      response.status,
      typeof error === "string" ? error : (JSON.stringify(error) ?? ""),
    );
  }
  throw new ApiError(error, readRetryAfter(response.headers, Date.now()));
}

/** Members of openapi-fetch's options that a call's options become. */
export function callOptions(context: Context, options: CallOptions, extra: SendOptions = {}) {
  const { signal, timeoutMs, retries } = options;
  return {
    fetch: context.send({ ...extra, ...given({ timeoutMs, retries }) }),
    ...given({ signal }),
  };
}

/** The same of a call with a query, for the context's owner. */
export function withQuery<Query extends object>(
  context: Context,
  query: Query,
  options: CallOptions,
  extra?: SendOptions,
) {
  return {
    params: { query: { ...query, ...ownerQuery(context) } },
    ...callOptions(context, options, extra),
  };
}

/** The same of a call about one thing. */
export function about(context: Context, id: string, options: CallOptions, extra?: SendOptions) {
  return {
    params: { path: { id }, query: ownerQuery(context) },
    ...callOptions(context, options, extra),
  };
}

export function ownerQuery({ ownerId }: Context): { ownerId?: string } {
  return ownerId === null ? {} : { ownerId };
}

async function orUnreadable<A>(pending: Promise<A>): Promise<A> {
  try {
    return await pending;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UnexpectedAnswerError("The answer says it is JSON and is not.", 200, "");
  }
}

function isProblem(value: unknown): value is Problem {
  return (
    isObject(value) && ["code", "title", "detail"].every((name) => typeof value[name] === "string")
  );
}

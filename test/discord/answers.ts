import type { BodyFault } from "./message-rules.ts";

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** An object is written as JSON, a text as an HTML page; undefined: no body. */
  body?: object | string;
}

function failed(status: number, code: number, message: string): Answer {
  return { status, body: { message, code } };
}

export const UNKNOWN_CHANNEL = failed(404, 10003, "Unknown Channel");
export const UNKNOWN_MESSAGE = failed(404, 10008, "Unknown Message");
export const UNKNOWN_WEBHOOK = failed(404, 10015, "Unknown Webhook");
export const INVALID_TOKEN = failed(401, 50027, "Invalid Webhook Token");
export const MISSING_ACCESS = failed(403, 50001, "Missing Access");
export const NOT_FOUND: Answer = { status: 404, body: { message: "404: Not Found", code: 0 } };
export const WRONG_METHOD: Answer = {
  status: 405,
  body: { message: "405: Method Not Allowed", code: 0 },
};
export const OLD_VERSION = failed(400, 50041, "Invalid API version provided");
export const WRONG_AGENT = failed(403, 40333, "internal network error");
export const BROKEN_JSON = failed(400, 50109, "The request body contains invalid JSON.");
export const NO_JSON = failed(400, 50006, "Cannot send an empty message");

export function invalidForm(faults: readonly BodyFault[]): Answer {
  const empty = faults.find(({ code }) => code === "50006");
  if (empty !== undefined) return failed(400, 50006, empty.message);
  const errors: Record<string, unknown> = {};
  for (const { path, code, message } of faults) {
    let at = errors;
    for (const name of path.split(".").filter((one) => one !== "")) {
      at[name] ??= {};
      // Made here, one level after the other.
      at = at[name] as Record<string, unknown>;
    }
    at["_errors"] = [{ code, message }];
  }
  return { status: 400, body: { message: "Invalid Form Body", code: 50035, errors } };
}

export function limited(
  scope: "user" | "global" | "shared",
  seconds: number,
  headers: Record<string, string>,
): Answer {
  return {
    status: 429,
    headers: {
      ...headers,
      "Retry-After": String(Math.ceil(seconds)),
      "X-RateLimit-Scope": scope,
      ...(scope === "global" ? { "X-RateLimit-Global": "true" } : {}),
    },
    body: {
      message: "You are being rate limited.",
      retry_after: seconds,
      global: scope === "global",
    },
  };
}

/** What stands before Discord answers those whom it has shut out. */
export function shutOut(status: number, seconds: number): Answer {
  return {
    status,
    headers: { "Retry-After": String(seconds) },
    body: "<!doctype html><title>Access denied</title><h1>Error 1015</h1><p>You are being rate limited.</p>",
  };
}

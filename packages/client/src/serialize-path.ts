import { type ErrorCode, errorEntry } from "@markethook/protocol/errors";
import { defaultPathSerializer } from "openapi-fetch";
import { ApiError } from "./errors.ts";

/**
 * Puts ids into the address of a route. `.` and `..` are steps in an address, also when they are escaped, so such an id
 * would reach another route. It is refused here, as the service refuses other ids that nothing can have.
 */
export function serializePath(address: string, ids: Record<string, unknown>): string {
  for (const [name, id] of Object.entries(ids)) {
    if (id !== "." && id !== "..") continue;
    const ofResource = address.includes("/v1/resources/");
    throw refusal(ofResource ? "resource_id_invalid" : "not_found", `/${name}`);
  }
  return defaultPathSerializer(address, ids);
}

function refusal(code: ErrorCode, pointer: string): ApiError {
  const { status = 404, title, advice } = errorEntry(code);
  const type = `/docs/errors#${code}`;
  // No request was made that could have an id.
  const problem = { type, title, status, code, detail: advice, pointer, requestId: "" };
  return new ApiError(problem as ApiError["problem"], null);
}

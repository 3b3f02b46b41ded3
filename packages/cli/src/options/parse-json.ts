import { ERRORS } from "@markethook/protocol";
import { findJsonFault } from "@markethook/protocol/find-json-fault";
import { JSON_LIMITS } from "@markethook/protocol/scan-json";
import { InvalidArgumentError } from "commander";

/** Undefined for text that is no JSON. Refuses what the API would: parsing keeps the last of two members of one name. */
export function parseJson(text: string): unknown {
  const fault = findJsonFault(text, JSON_LIMITS);
  if (fault?.code === "json_invalid") return undefined;
  if (fault !== null) throw new InvalidArgumentError(`${ERRORS[fault.code].title} ${fault.detail}`);
  return JSON.parse(text);
}

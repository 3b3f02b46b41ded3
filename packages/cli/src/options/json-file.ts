import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { ERRORS } from "@markethook/protocol";
import { findJsonFault } from "@markethook/protocol/find-json-fault";
import { JSON_LIMITS } from "@markethook/protocol/scan-json";

/** Undefined for text that is no JSON. Refuses what the API would: parsing keeps the last of two members of one name. */
export function parseJson(text: string): unknown {
  const fault = findJsonFault(text, JSON_LIMITS);
  if (fault?.code === "json_invalid") return undefined;
  if (fault !== null) throw new InvalidArgumentError(`${ERRORS[fault.code].title} ${fault.detail}`);
  return JSON.parse(text);
}

/** An option's file, read and parsed: an object, whatever its members; the service judges those. */
export function jsonFile(path: string): object {
  const value = parseJson(read(path));
  if (value === undefined) throw new InvalidArgumentError("The file is not JSON.");
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError("The file holds no JSON object.");
  }
  return value;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new InvalidArgumentError("There is no such file, or it cannot be read.");
  }
}

import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { ERRORS, isObject } from "@markethook/protocol";
import { findJsonFault } from "@markethook/protocol/find-json-fault";
import { JSON_LIMITS } from "@markethook/protocol/scan-json";

/** Undefined for text that is no JSON. Refuses what the API would: parsing keeps the last of two members of one name. */
function parseJson(text: string): unknown {
  const fault = findJsonFault(text, JSON_LIMITS);
  if (fault?.code === "json_invalid") return undefined;
  if (fault !== null) throw new InvalidArgumentError(`${ERRORS[fault.code].title} ${fault.detail}`);
  return JSON.parse(text);
}

/** A JSON object, as the API takes it. The service checks what is in it. */
export function jsonObject(text: string): object {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new InvalidArgumentError(`Write a JSON object, such as '{"version": "1.1"}'.`);
}

/** The same in a file. */
export function jsonFile(path: string): object {
  const value = parseJson(read(path));
  if (value === undefined) throw new InvalidArgumentError("The file is not JSON.");
  if (isObject(value)) return value;
  throw new InvalidArgumentError("The file holds no JSON object.");
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new InvalidArgumentError("There is no such file, or it cannot be read.");
  }
}

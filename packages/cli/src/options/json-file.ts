import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { parseJson } from "./parse-json.ts";

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

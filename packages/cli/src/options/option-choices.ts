import { InvalidArgumentError } from "commander";
import { parseJson } from "./json-file.ts";

/** One of these; may be given several times. */
export function oneOrMore<const Value extends string>(
  values: readonly Value[],
): (text: string, before?: Value[]) => Value[] {
  return (text, before = []) => {
    const found = values.find((value) => value === text);
    if (found === undefined) {
      throw new InvalidArgumentError(`Allowed choices are ${values.join(", ")}.`);
    }
    return before.includes(found) ? before : [...before, found];
  };
}

/** A JSON object, as the API takes it. The service checks what is in it. */
export function jsonObject(text: string): object {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError(`Write a JSON object, such as '{"version": "1.1"}'.`);
  }
  return value;
}

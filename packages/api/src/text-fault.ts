import { MarkethookError, type ErrorCode } from "@markethook/protocol";
import { echo } from "./problem.ts";

/** Deeper JSON than any body of ours can be. */
const MAX_DEPTH = 64;

export interface TextFault {
  code: Extract<ErrorCode, "text_invalid" | "field_unknown" | "json_invalid">;
  pointer: string;
  detail: string;
}

/**
 * The first text that databases or receivers choke on (U+0000, half a surrogate pair), the first name that could
 * reach a prototype, or nesting that nobody needs.
 */
export function findTextFault(value: unknown, pointer = "", depth = 1): TextFault | null {
  if (typeof value === "string") {
    return isSoundText(value)
      ? null
      : {
          code: "text_invalid",
          pointer,
          detail: "The text holds a character that is not allowed.",
        };
  }
  if (typeof value !== "object" || value === null) return null;
  if (depth > MAX_DEPTH) {
    return {
      code: "json_invalid",
      pointer: "",
      detail: `The JSON is nested deeper than ${MAX_DEPTH}.`,
    };
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const fault = findTextFault(value[i], `${pointer}/${i}`, depth + 1);
      if (fault !== null) return fault;
    }
    return null;
  }
  for (const [name, member] of Object.entries(value)) {
    const at = `${pointer}/${pointerToken(name)}`;
    if (!isSoundText(name)) {
      return {
        code: "text_invalid",
        pointer,
        detail: "A name holds a character that is not allowed.",
      };
    }
    if (name === "__proto__" || (name === "constructor" && holdsPrototype(member))) {
      return { code: "field_unknown", pointer: at, detail: "This name is never allowed." };
    }
    const fault = findTextFault(member, at, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

export function throwTextFault(fault: TextFault): never {
  throw new MarkethookError(fault.code, { detail: fault.detail, pointer: fault.pointer });
}

/** True for JSON that is nested deeper than any body of ours can be. */
export function isTooDeep(value: unknown, depth = 1): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  for (const member of Object.values(value)) {
    if (isTooDeep(member, depth + 1)) return true;
  }
  return false;
}

/** One token of a JSON Pointer, cut to what may be repeated. */
export function pointerToken(name: string): string {
  return echo(name).replaceAll("~", "~0").replaceAll("/", "~1");
}

function isSoundText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function holdsPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "prototype");
}

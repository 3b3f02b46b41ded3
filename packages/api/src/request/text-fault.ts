import { pointerToken } from "@markethook/protocol/echo";

export interface TextFault {
  code: "text_invalid";
  pointer: string;
  detail: string;
}

/**
 * Returns the first text, in JSON of a bounded depth, that databases or receivers cannot handle: U+0000, half a
 * surrogate pair.
 */
export function findTextFault(value: unknown, pointer = ""): TextFault | null {
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
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const fault = findTextFault(value[i], `${pointer}/${i}`);
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
    const fault = findTextFault(member, at);
    if (fault !== null) return fault;
  }
  return null;
}

function isSoundText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

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
  const fault = (what: string): TextFault => ({
    code: "text_invalid",
    pointer,
    detail: `${what} holds a character that is not allowed.`,
  });
  if (typeof value === "string") return isSoundText(value) ? null : fault("The text");
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const found = findTextFault(value[i], `${pointer}/${i}`);
      if (found !== null) return found;
    }
    return null;
  }
  for (const [name, member] of Object.entries(value)) {
    if (!isSoundText(name)) return fault("A name");
    const found = findTextFault(member, `${pointer}/${pointerToken(name)}`);
    if (found !== null) return found;
  }
  return null;
}

function isSoundText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

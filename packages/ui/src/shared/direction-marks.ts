/**
 * Characters that change the direction of what stands after them (Unicode's Bidi_Control). In exact text they would let
 * their author show `exe.png` where `gnp.exe` is.
 */
const MARKS = /([\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069])/;

export interface TextPart {
  text: string;
  isMark: boolean;
}

/** The text in parts, each mark as its name, such as `U+202E`. */
export function visibleMarks(text: string): TextPart[] {
  return text
    .split(MARKS)
    .map((part, index) => ({
      text: index % 2 === 1 ? nameOf(part) : part,
      isMark: index % 2 === 1,
    }))
    .filter((part) => part.text !== "");
}

function nameOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

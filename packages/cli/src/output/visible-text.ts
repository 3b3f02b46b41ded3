/**
 * Text from users and receivers must not steer a terminal: control characters, overrides of direction, and
 * characters that cannot be seen are shown as escapes.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu; // Emoji and some scripts need those two joiners.

/** On one line: line breaks are shown as escapes too. */
export function visible(text: string): string {
  return text.toWellFormed().replace(UNSEEN, escape);
}

/** Line breaks and tabs stay. */
export function visibleLines(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replace(UNSEEN, (character) =>
      character === "\n" || character === "\t" ? character : escape(character),
    );
}

/** JSON text that means the same, with nothing in it that a terminal would obey. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN, (character) =>
    character === "\n" ? character : unicodeEscape(character),
  );
}

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escape(character: string): string {
  return SHORT[character] ?? unicodeEscape(character);
}

/** As JSON and JavaScript write it. */
function unicodeEscape(character: string): string {
  let text = "";
  for (let at = 0; at < character.length; at += 1) {
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return text;
}

/** Of a script that is written with joiners between letters, as Persian and Hindi are. */
const JOINED = String.raw`[[\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Inherited}\p{sc=Common}\p{Default_Ignorable_Code_Point}]]`;

/**
 * Invisible characters with an effect: control and direction characters, characters without width. The first group
 * matches those to keep: within an emoji, and a joiner between two letters. Compiled at its first use, which takes
 * 20 ms: no start of the service and no opening of a page should wait for it.
 */
let unseen: RegExp | undefined;
function unseenPattern(): RegExp {
  return (unseen ??= new RegExp(
    String.raw`(\p{RGI_Emoji}|(?<=${JOINED})[\u200c\u200d](?=${JOINED}))|` +
      String.raw`[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]--[\n\t]]`,
    "gv",
  ));
}
const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085\v\f]/g;
const SPACES = /[\p{Zs}\t]/gu;
/** More than six on one letter would cover the neighbouring lines. */
const MARKS = /(\p{M}{6})\p{M}+/gu;

/** Text from users, as it may be shown. Not yet escaped. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_ENDS, "\n")
    .replace(unseenPattern(), "$1")
    .replace(SPACES, " ")
    .replace(MARKS, "$1")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The same in one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/gu, " ");
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * At most `limit` UTF-16 units, which are never fewer than code points; where it is cut, between two characters as
 * people see them, and with an ellipsis. Markdown's escapes stay whole.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit < 1) return "";
  let end = 0;
  let escaping = false;
  for (const { segment, index } of graphemes.segment(text.slice(0, limit + 1))) {
    if (index > limit - 1) break;
    if (!escaping) end = index;
    escaping = !escaping && segment === "\\";
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

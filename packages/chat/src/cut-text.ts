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

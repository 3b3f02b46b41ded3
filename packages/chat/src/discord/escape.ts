/**
 * Discord reads Markdown nearly everywhere, and makes mentions, emoji, times, links and invitations of plain text. A
 * backslash before punctuation takes its meaning away, and is not shown. Also before the dot of what looks like a
 * host: no client can then find an address in it.
 */
const PUNCTUATION = /[\\*_~`|<>#[\]():@/]/g;
const LINE_START = /^(\s*)([-+])/gm;
const LIST_NUMBER = /^(\s*\d+)\.(?=\s|$)/gm;
const HOST_DOT = /\.(?=\p{L})/gu;

/** Cleaned text from users, so that it is shown as it is and does nothing. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(PUNCTUATION, "\\$&")
    .replace(LINE_START, "$1\\$2")
    .replace(LIST_NUMBER, "$1\\.")
    .replace(HOST_DOT, "\\.");
}

/** As a part of an address: nothing that ends it, and nothing that Markdown reads. */
export function escapeInAddress(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~_-]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

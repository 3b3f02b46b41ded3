import { HIDDEN } from "./shown-url.ts";

/** Finds the secret part of a URL in other texts, and hides it there. */
export interface HiddenAddress {
  /** In characters; of a shorter text nothing is hidden. */
  readonly shortest: number;
  /** `isCut`: the text may end within the address. Answers a text that has none of it as it is. */
  hide(text: string, isCut?: boolean): string;
}

/** A shorter part may be a word of a text, and is hidden as a whole path only. */
const LONG = 12;
/** A shorter beginning of a part, at the end of a cut text, tells little. */
const SHORTEST_BEGINNING = 8;
const NOTHING: HiddenAddress = { shortest: Infinity, hide: (text) => text };

/** `shown`: the shown form of the same URL. */
export function hiddenAddress(url: string, shown: string): HiddenAddress {
  let same = 0;
  while (same < url.length && url[same] === shown[same]) same += 1;
  if (same === url.length) return NOTHING;
  const parts = partsOf(url.slice(url[same - 1] === "/" ? same - 1 : same));
  const longParts = parts.filter(isLong);
  const shortest = Math.min(...parts.map((part) => part.length));

  function hide(text: string, isCut = false): string {
    if (text.length < shortest) return text;
    // First: once a whole part is hidden, the text around it no longer begins as the address does.
    const ended = isCut ? hideBeginning(text, longParts) : text;
    const lower = lowerCase(ended);
    return parts.some((part) => lower.includes(part)) ? parts.reduce(hidePart, ended) : ended;
  }
  return { shortest, hide };
}

/** The parts to hide, in lower case, the longest first: a part hidden before the whole would leave the rest. */
function partsOf(target: string): string[] {
  const targets = decodings(target);
  const pieces = targets.flatMap((one) => one.split(/[/?&=#;,:@]+/));
  const long = [...targets.flatMap(spellings), ...pieces, ...pieces.map(encoded)].filter(isLong);
  return [...new Set([...targets, ...long].map(lowerCase))].sort((a, b) => b.length - a.length);
}

/** As it was given, and as programs that decode it write it. */
function decodings(target: string): string[] {
  try {
    const blanks = target.replaceAll("+", " ");
    return [...new Set([target, decodeURIComponent(target), decodeURIComponent(blanks)])];
  } catch {
    return [target];
  }
}

/** As it stands in HTML, in the JSON of some languages, and as a parameter of another URL. */
function spellings(target: string): string[] {
  return [
    target.replaceAll("&", "&amp;"),
    target.replaceAll("&", String.raw`\u0026`),
    target.replaceAll("/", String.raw`\/`),
    encoded(target),
  ];
}

function encoded(text: string): string {
  // encodeURIComponent throws for half a surrogate pair.
  return encodeURIComponent(text.toWellFormed());
}

function hidePart(text: string, part: string): string {
  const lower = lowerCase(text);
  let at = lower.indexOf(part);
  if (at === -1) return text;
  if (!isLong(part)) return hidePath(text, part);
  // Not by a pattern, which would take the product of both lengths for a text that is like the part.
  let clean = "";
  let from = 0;
  while (at !== -1) {
    clean += text.slice(from, at) + signFor(part);
    from = at + part.length;
    at = lower.indexOf(part, from);
  }
  return clean + text.slice(from);
}

/** Hides a short path behind a host, or where it is not part of a longer word. */
function hidePath(text: string, path: string): string {
  const whole = new RegExp(
    `(//[^/\\s"'<>?#]*|(?<![A-Za-z0-9]))${escaped(path)}(?![A-Za-z0-9_-])`,
    "gi",
  );
  return text.replaceAll(whole, (_, before: string) => `${before}${HIDDEN}`);
}

/** Hides the longest beginning of a part with which the text ends. */
function hideBeginning(text: string, parts: readonly string[]): string {
  const lower = lowerCase(text);
  let longest = SHORTEST_BEGINNING - 1;
  let sign = "";
  for (const part of parts) {
    const length = overlap(lower, part);
    if (length > longest) [longest, sign] = [length, signFor(part)];
  }
  return sign === "" ? text : text.slice(0, -longest) + sign;
}

/** How long a beginning of `part` the text ends with: the last border of Knuth, Morris and Pratt's table. */
function overlap(text: string, part: string): number {
  const tail = text.slice(-part.length);
  if (!tail.includes(part.slice(0, SHORTEST_BEGINNING))) return 0;
  const both = `${part}\n${tail}`;
  const borders = new Uint32Array(both.length);
  let border = 0;
  for (let at = 1; at < both.length; at += 1) {
    while (border > 0 && both[at] !== both[border]) border = borders[border - 1] ?? 0;
    if (both[at] === both[border]) border += 1;
    borders[at] = border;
  }
  return border;
}

function signFor(part: string): string {
  return part.startsWith("/") || part.startsWith(String.raw`\/`) ? HIDDEN : HIDDEN.slice(1);
}

/** Of as many characters as the text: of all letters only this one becomes two. */
function lowerCase(text: string): string {
  return text.replaceAll("\u0130", "i").toLowerCase();
}

function isLong(part: string): boolean {
  return part.length >= LONG;
}

function escaped(part: string): string {
  return part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

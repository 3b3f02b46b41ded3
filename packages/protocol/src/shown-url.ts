/**
 * What may be shown of a webhook's URL: where it leads, and that it goes on. The path and the query are the secret of
 * every address that takes messages from anyone who knows it. What is shown of one stays as it is.
 */
export function shownUrl(url: string): string {
  const [place, target] = splitUrl(url);
  return target === "" || target === "/" || url.endsWith(HIDDEN) ? url : `${place}${HIDDEN}`;
}

/** What stands for the rest. */
export const HIDDEN = "/…";

/** Whether a URL was made from what is shown of one: to save it would lose the rest. */
export function isShownOnly(url: string): boolean {
  return splitUrl(url)[1].startsWith(HIDDEN);
}

/** Scheme, host and port as written, and all after them. */
function splitUrl(url: string): [place: string, target: string] {
  const host = url.indexOf("//") + 2;
  const length = url.slice(host).search(/[/?#]/);
  const end = length === -1 ? url.length : host + length;
  return [url.slice(0, end), url.slice(end)];
}

/** Finds and hides in other texts what of a URL may not be shown. */
export interface HiddenAddress {
  /** A text with none of these has nothing to hide. */
  readonly parts: readonly string[];
  hide(text: string): string;
}

/** A shorter part may be a word of a text, and is hidden as a whole path only. */
const LONG = 12;
const NOTHING: HiddenAddress = { parts: [], hide: (text) => text };

/** `shown`: what may be shown of the same URL. */
export function hiddenAddress(url: string, shown: string): HiddenAddress {
  let same = 0;
  while (same < url.length && url[same] === shown[same]) same += 1;
  if (same === url.length) return NOTHING;
  const target = url.slice(url[same - 1] === "/" ? same - 1 : same);
  const targets = spelled(target);
  const pieces = targets.flatMap((one) => one.split(/[/?&=#;,:@]+/)).filter(isLong);
  const parts = [...new Set([...targets, ...pieces])].sort((a, b) => b.length - a.length);
  return {
    parts,
    hide: (text) => parts.reduce((clean, part) => hidePart(clean, part), text),
  };
}

function hidePart(text: string, part: string): string {
  if (!text.includes(part)) return text;
  const isPath = part.startsWith("/");
  if (isLong(part)) return text.replaceAll(part, isPath ? HIDDEN : HIDDEN.slice(1));
  // Behind a host, or where no word goes on.
  const whole = new RegExp(
    `(//[^/\\s"'<>?#]*|(?<![A-Za-z0-9]))${escaped(part)}(?![A-Za-z0-9_-])`,
    "g",
  );
  return text.replaceAll(whole, (_, before: string) => `${before}${HIDDEN}`);
}

/** As it was given, and as programs that decode it write it. */
function spelled(target: string): string[] {
  try {
    const decoded = decodeURIComponent(target);
    return decoded === target ? [target] : [target, decoded];
  } catch {
    return [target];
  }
}

function isLong(part: string): boolean {
  return part.length >= LONG;
}

function escaped(part: string): string {
  return part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

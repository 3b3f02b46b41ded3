/**
 * The form of a webhook's URL that may be shown: its origin, and a mark that it goes on. Path and query are a secret,
 * because anyone who knows them can send there. A shown form stays unchanged.
 */
export function shownUrl(url: string): string {
  const [place, target] = splitUrl(url);
  return target === "" || target === "/" || url.endsWith(HIDDEN) ? url : `${place}${HIDDEN}`;
}

/** Replaces the hidden rest. */
export const HIDDEN = "/…";

/** Whether a URL is only the shown form of one: to save it would lose the rest. */
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

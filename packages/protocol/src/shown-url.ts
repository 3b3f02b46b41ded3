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

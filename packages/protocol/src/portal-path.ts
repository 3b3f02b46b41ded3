/** Longer than any link that the owners' pages make of a place. */
const LONGEST = 1000;
const ID = "[A-Za-z0-9_-]{1,64}";
const PAGE = `(?:add|events|deliveries(?:/${ID})?|webhooks/${ID})?`;
const QUERY = "(?:\\?(?:[A-Za-z0-9._~!*'(),:;@=&+-]|%[0-9A-Fa-f]{2})*)?";
const PATH = new RegExp(`^/${PAGE}${QUERY}$`);

/**
 * Whether it is a place on the owners' pages, as `/webhooks/wh_1?tab=secret`. Never more than a place: no scheme, host,
 * fragment, backslash, second slash or encoded form of one gets through before the question mark.
 */
export function isPortalPath(text: string): boolean {
  return text.length <= LONGEST && PATH.test(text);
}

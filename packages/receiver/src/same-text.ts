/**
 * Whether two texts of ASCII are the same. Takes as long for each two of one length, so that the time tells nothing
 * about where they differ.
 */
export function isSameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index += 1) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  }
  return difference === 0;
}

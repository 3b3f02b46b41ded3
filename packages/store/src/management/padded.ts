/**
 * For the right side of `in`: repeats the last value up to a power of two. Each length of a list is a statement of its
 * own to prepare and keep. Both databases look each value up once.
 */
export function padded<T>(list: readonly T[]): T[] {
  const last = list.at(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...Array.from({ length: length - list.length }, () => last)];
}

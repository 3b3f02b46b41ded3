/** For maps that contain the key by construction; a missing key is a bug. */
export function mustGet<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`nothing at ${String(key)}`);
  return value;
}

/** For maps that hold the key by construction; a miss is a fault of ours. */
export function mustGet<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`nothing at ${String(key)}`);
  return value;
}

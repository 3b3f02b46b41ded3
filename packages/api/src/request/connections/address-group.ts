const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The part of an address that one client cannot change freely: all of IPv4, the first 64 bits of IPv6. */
export function addressGroup(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::", 2);
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(zeros).fill("0"), ...last].slice(0, 4).join(":");
}

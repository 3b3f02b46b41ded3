import { isIP } from "node:net";

import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/**
 * Returns null unless the operating system accepts the text as an IP address. IPv4-mapped IPv6 becomes its IPv4
 * address.
 */
export function parseAddress(address: string): IPv4 | IPv6 | null {
  // ipaddr.js also reads octal, hexadecimal and short forms, which must be refused here; zones are not routable.
  const version = isIP(address);
  if (version === 0 || address.includes("%")) return null;
  if (version === 4) return ipaddr.IPv4.parse(address);
  // A dotted tail is converted to hexadecimal first: ipaddr.js reads ::8.8.8.8, which DNS can return, as
  // ::ffff:8.8.8.8.
  const plain = address.includes(".")
    ? new URL(`http://[${address}]`).hostname.slice(1, -1)
    : address;
  const parsed = ipaddr.IPv6.parse(plain);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}

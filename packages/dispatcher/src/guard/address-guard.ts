import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

import type { AllowList } from "./allow-list.ts";
import { parseAddress } from "./parse-address.ts";

/** IPv4 blocks that look public but contain no receivers, in addition to those that ipaddr.js refuses. */
const REFUSED_IPV4 = [
  "168.63.129.16/32", // a cloud platform's own service behind a public-looking address
  "192.88.99.0/24", // 6to4 relays
].map((block) => ipaddr.IPv4.parseCIDR(block));

/** The only block of IPv6 that is assigned for public use. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Blocks inside 2000::/3 that contain an IPv4 address, or are reserved. */
const REFUSED_IPV6 = [
  "2001::/23", // Teredo, ORCHID, benchmarking and other protocol assignments
  "2001:db8::/32",
  "2002::/16", // 6to4
  "3fff::/20",
].map((block) => ipaddr.IPv6.parseCIDR(block));

/**
 * Whether a request may go to this address and port: it is public unicast, or a setting allows it. Text that the
 * operating system does not accept as an IP address is refused.
 */
export function judgeAddress(address: string, port: number, allow: AllowList): boolean {
  if (allow.exclusive === true) return allow.allows(address, port);
  return isPublicAddress(address) || allow.allows(address, port);
}

function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  return parsed instanceof ipaddr.IPv4 ? isPublicIpv4(parsed) : isPublicIpv6(parsed);
}

function isPublicIpv4(address: IPv4): boolean {
  return address.range() === "unicast" && !REFUSED_IPV4.some((block) => address.match(block));
}

function isPublicIpv6(address: IPv6): boolean {
  return (
    address.match(PUBLIC_IPV6) &&
    address.range() === "unicast" &&
    !REFUSED_IPV6.some((block) => address.match(block))
  );
}

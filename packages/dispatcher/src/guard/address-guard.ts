import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

import type { AllowList } from "./allow-list.ts";
import { parseAddress } from "./parse-address.ts";

/** A cloud platform's own service behind a public-looking address. ipaddr.js knows all other special addresses. */
const CLOUD_SERVICE = "168.63.129.16";

/** The only block of IPv6 that is assigned for public use. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

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
  return address.range() === "unicast" && address.toString() !== CLOUD_SERVICE;
}

function isPublicIpv6(address: IPv6): boolean {
  return address.match(PUBLIC_IPV6) && address.range() === "unicast";
}

import ipaddr from "ipaddr.js";

import { judgeAddress } from "./address-guard.ts";
import type { AllowList } from "./allow-list.ts";
import { parseAddress } from "./parse-address.ts";
import { isLocalhost } from "./url-rules.ts";

/** How many addresses of a name are dialled; all are judged. */
const DIALLED = 16;

/** NAT64 (RFC 6052): each address in it leads to the IPv4 address that is its last four bytes. */
const TRANSLATED = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Returns the addresses of a name that may be dialled. One forbidden address refuses the whole name, because a name
 * that leads to an inner network on every second query is an attack. A name without any address is refused as well.
 */
export function vetAddresses(
  host: string,
  addresses: readonly string[],
  port: number,
  allow: AllowList,
): { addresses: string[] } | { forbidden: string } {
  const allowed = addresses.filter((address) => judgeAddress(untranslated(address), port, allow));
  // Both addresses of localhost are our own answer, not an attacker's. Often only one of them is allowed.
  const enough = isLocalhost(host) ? allowed.length > 0 : allowed.length === addresses.length;
  if (enough && allowed.length > 0) return { addresses: allowed.slice(0, DIALLED) };
  const forbidden = addresses.filter((address) => !allowed.includes(address));
  return { forbidden: forbidden.join(" ") || "no address" };
}

/**
 * Returns the address that it leads to. In networks without IPv4, name servers add a translated address to each name that
 * has IPv4 only (DNS64).
 */
export function untranslated(address: string): string {
  // Each request asks, and parsing an address takes microseconds. Name servers and URLs write it so.
  if (!address.startsWith("64:ff9b:")) return address;
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6) || !parsed.match(TRANSLATED)) return address;
  return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString();
}

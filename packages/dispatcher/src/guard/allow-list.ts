import { isIP } from "node:net";

import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

import { parseAddress } from "./parse-address.ts";

/** Addresses that may be receivers although they are not public. */
export interface AllowList {
  allows(address: string, port: number): boolean;
  /** True: nothing else is allowed, not even public addresses. */
  readonly exclusive?: boolean;
  /** As written in the setting, one per entry. */
  readonly entries: readonly string[];
}

interface Rule {
  block: [IPv4, number] | [IPv6, number];
  /** null: every port */
  port: number | null;
}

/**
 * Reads a comma-separated list of `CIDR`, `CIDR:port`, `[IPv6 CIDR]:port`; an address alone stands for itself.
 * Throws a RangeError that names the entry it cannot read.
 */
export function parseAllowList(text: string): AllowList {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const rules = entries.map(parseRule);
  return {
    entries,
    allows(address, port) {
      if (rules.length === 0) return false;
      const parsed = parseAddress(address);
      return parsed !== null && rules.some((rule) => matches(rule, parsed, port));
    },
  };
}

/** True if anything besides loopback is allowed: then names of an inner network make sense, and are resolved. */
export function allowsInnerNetwork(allow: AllowList): boolean {
  return allow.entries.some((entry) => !/^(127\.|\[?::1(\/128)?(\]|$))/.test(entry));
}

function matches(rule: Rule, address: IPv4 | IPv6, port: number): boolean {
  const [network, bits] = rule.block;
  return (
    (rule.port === null || rule.port === port) &&
    address.kind() === network.kind() &&
    address.match(network, bits)
  );
}

function parseRule(entry: string): Rule {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry);
  const plain = /^(\d[\d.]*(?:\/\d{1,3})?)(?::(\d{1,5}))?$/.exec(entry);
  const [, block = entry, portText] = bracketed ?? plain ?? [];
  const port = portText === undefined ? null : Number(portText);
  if (port === 0 || (port !== null && port > 65535)) throw badEntry(entry);
  return { block: parseBlock(block, entry), port };
}

function parseBlock(text: string, entry: string): [IPv4, number] | [IPv6, number] {
  const [address = "", bitsText, ...rest] = text.split("/");
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const bits = bitsText === undefined ? most : /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : NaN;
  if (version === 0 || address.includes("%") || rest.length > 0 || !(bits <= most)) {
    throw badEntry(entry);
  }
  if (version === 4) return [ipaddr.IPv4.parse(address), bits];
  const parsed = ipaddr.IPv6.parse(address);
  // Addresses are compared in their IPv4 form, so a mapped block must be converted too.
  return parsed.isIPv4MappedAddress() && bits >= 96
    ? [parsed.toIPv4Address(), bits - 96]
    : [parsed, bits];
}

function badEntry(entry: string): RangeError {
  return new RangeError(
    `"${entry}" is not a CIDR, CIDR:port or [IPv6 CIDR]:port, e.g. 10.0.0.0/8, 127.0.0.1:9000, [fd00::/8]:443.`,
  );
}

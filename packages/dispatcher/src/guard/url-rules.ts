import { isIP } from "node:net";
import { domainToUnicode } from "node:url";

import { LIMITS } from "@markethook/protocol";

import { judgeAddress } from "./address-guard.ts";
import { type AllowList, allowsInnerNetwork } from "./allow-list.ts";

export type UrlFault =
  | "url_syntax"
  | "url_scheme"
  | "url_credentials"
  | "url_fragment"
  | "url_too_long"
  | "url_host_form"
  | "url_host_reserved"
  | "url_port";

export interface UrlRules {
  allow: AllowList;
  blockedPorts: ReadonlySet<number>;
  /** `host:port` of the service's own pages and API, which must not be a receiver. */
  ownPlace?: string | null;
}

/** Returns `ownPlace` for the URL under which the service is reached. */
export function placeOf(publicUrl: string): string {
  const url = new URL(publicUrl);
  return `${bareHost(url)}:${portOf(url)}`;
}

/** Sentences for owners. The one for refused hosts is also used after name resolution, so that it reveals nothing. */
export const FAULT_SENTENCES: Readonly<Record<UrlFault, string>> = {
  url_syntax: "This is not a complete URL such as https://example.com/hook.",
  url_scheme: "The URL must start with https:// or http://.",
  url_credentials:
    "The URL must not hold a user name or password. Leave it out: requests are signed instead.",
  url_fragment: "The URL must not hold a fragment (#...). Leave it out.",
  url_too_long: `The URL must not be longer than ${LIMITS.urlLength} characters.`,
  url_host_form: "The host must be written plainly: a full domain name or an ordinary IP address.",
  url_host_reserved: "This address is not allowed as a receiver.",
  url_port: "This port is not allowed. Use 443, or another port of a web server.",
};

/** Ports of services that a POST could harm, or that answer anything: mail, shells, databases, caches, IRC. */
export const DEFAULT_BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 79, 109, 110, 111, 113, 119,
  123, 135, 137, 138, 139, 143, 161, 162, 179, 389, 427, 445, 465, 512, 513, 514, 515, 531, 532,
  540, 548, 554, 563, 587, 601, 636, 873, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376,
  2379, 2380, 3306, 3389, 4045, 4190, 5060, 5061, 5432, 5672, 5900, 5984, 6000, 6379, 6566, 6665,
  6666, 6667, 6668, 6669, 6697, 9042, 9092, 9200, 9300, 10250, 11211, 27017, 27018, 27019,
]);

/** Names that are never a receiver, even in an allowed network. */
const DEAD_NAMES = /(^|\.)(onion|invalid|example)$/;
const INNER_NAMES =
  /(^|\.)(local|lan|internal|intranet|corp|home|private|localdomain|home\.arpa|test)$|^ip6-(localhost|loopback)$/;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Judges a URL by its text alone, without DNS: when it is saved and again before every dial. Node's parser repairs much
 * (it turns `http://0x7f.1` into 127.0.0.1), so a URL that it would repair is refused.
 */
export function checkUrl(
  text: string,
  rules: UrlRules,
): { url: URL } | { fault: UrlFault; sentence: string } {
  const found = findFault(text, rules);
  return typeof found === "string" ? { fault: found, sentence: FAULT_SENTENCES[found] } : found;
}

/** The destination of a URL's requests. */
export interface Target {
  /** Requests with the same origin share connections. */
  origin: string;
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  secure: boolean;
}

/** Returns the URL's target, or the sentence that refuses it. */
export function readTarget(text: string, rules: UrlRules): Target | string {
  const checked = checkUrl(text, rules);
  if ("fault" in checked) return `${checked.fault}: ${checked.sentence}`;
  const { url } = checked;
  return {
    origin: url.origin,
    host: bareHost(url),
    port: portOf(url),
    secure: url.protocol === "https:",
  };
}

/** Names that mean this machine; they are answered without DNS. */
export function isLocalhost(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/** The host without the brackets of IPv6. */
export function bareHost(url: URL): string {
  return url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
}

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function findFault(text: string, rules: UrlRules): { url: URL } | UrlFault {
  if (text.length > LIMITS.urlLength) return "url_too_long";
  // The parser deletes or trims blanks and control characters, and takes a backslash for a slash.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return "url_syntax";
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return "url_syntax";
  if (scheme !== "http" && scheme !== "https") return "url_scheme";
  const authority = /^[^:]*:\/\/([^/?#]+)/.exec(text)?.[1];
  if (authority === undefined) return "url_syntax";
  if (authority.includes("@")) return "url_credentials";
  if (text.includes("#")) return "url_fragment";

  const split = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/s.exec(authority);
  if (split === null) return "url_syntax";
  const [, writtenHost = "", writtenPort] = split;
  if (writtenPort !== undefined && !isPlainPort(writtenPort)) return "url_port";
  if (!URL.canParse(text)) return "url_syntax";
  const url = new URL(text);
  return hostFault(writtenHost, url, rules) ?? { url };
}

function isPlainPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65535;
}

function hostFault(written: string, url: URL, rules: UrlRules): UrlFault | null {
  const host = bareHost(url);
  const port = portOf(url);
  if (rules.ownPlace === `${host}:${port}`) return "url_host_reserved";
  if (isIP(host) !== 0) {
    // IPv6 has many harmless spellings; IPv4 has only the dotted quad.
    if (isIP(host) === 4 && written !== host) return "url_host_form";
    if (!judgeAddress(host, port, rules.allow)) return "url_host_reserved";
    return rules.blockedPorts.has(port) && !rules.allow.allows(host, port) ? "url_port" : null;
  }
  // A dot at the end means the same host. So a reserved name is reported first, then the dot itself.
  const name = host.replace(/\.$/, "");
  if (!isWrittenPlainly(written.replace(/\.$/, ""), name)) return "url_host_form";
  if (isLocalhost(name)) {
    if (!allowsLoopback(rules.allow, port)) return "url_host_reserved";
    return name === host ? null : "url_host_form";
  }
  if (isReservedName(name, rules.allow)) return "url_host_reserved";
  if (name !== host) return "url_host_form";
  return rules.blockedPorts.has(port) ? "url_port" : null;
}

function allowsLoopback(allow: AllowList, port: number): boolean {
  return allow.allows("127.0.0.1", port) || allow.allows("::1", port);
}

function isReservedName(name: string, allow: AllowList): boolean {
  if (DEAD_NAMES.test(name)) return true;
  // An operator who allows an inner network has names for it. Their addresses are still judged one by one.
  if (allowsInnerNetwork(allow)) return false;
  return INNER_NAMES.test(name) || !name.includes(".");
}

/**
 * True if it is written as the parser understands it: ASCII letter for letter, or a Unicode name that maps to itself.
 */
function isWrittenPlainly(written: string, host: string): boolean {
  if (host.length > 253 || !host.split(".").every((label) => LABEL.test(label))) return false;
  const lower = written.toLowerCase();
  return lower === host || lower.normalize("NFC") === domainToUnicode(host);
}

import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

/** Checks the addresses of the marketplace, of this service's pages, and of the notices. */
export function* checkUrls({ config, faults }: Facts): Iterable<Finding> {
  const { baseUrl, publicUrl, embedOrigins, portalEntryUrl, noticesUrl } = config;
  // A URL that cannot be read has been reported already.
  const isUnset = (name: string): boolean => faults.every((fault) => fault.name !== name);
  if (baseUrl === null) {
    if (isUnset("MARKETHOOK_BASE_URL"))
      yield finding("base_url_missing", "MARKETHOOK_BASE_URL is not set.");
  } else if (isPrivateName(new URL(baseUrl).hostname)) {
    yield finding("base_url_private", `${baseUrl} can be opened on this machine or network only.`);
  } else if (!baseUrl.startsWith("https:")) {
    yield finding("base_url_not_https", `Resource pages are at ${baseUrl}.`);
  }
  if (publicUrl === null) {
    if (isUnset("MARKETHOOK_PUBLIC_URL"))
      yield finding("public_url_missing", "MARKETHOOK_PUBLIC_URL is not set.");
  } else if (!publicUrl.startsWith("https:")) {
    yield finding("public_url_not_https", `Owners' pages are at ${publicUrl}.`);
  }
  for (const origin of embedOrigins.filter((one) => one.startsWith("http:"))) {
    yield finding("embed_origin_not_https", `Pages of ${origin} may show the owners' page.`);
  }
  if (portalEntryUrl?.startsWith("http:") === true) {
    yield finding("portal_entry_not_https", `Owners are sent to ${portalEntryUrl}.`);
  }
  if (noticesUrl?.startsWith("http:") === true && !isLocalHost(new URL(noticesUrl).hostname)) {
    yield finding("notices_url_not_https", `Notices are posted to ${new URL(noticesUrl).host}.`);
  }
}

/** A range with a shorter prefix is not a range of proxies. */
const NARROW = { v4: 8, v6: 16 };

/** Checks who can reach the service, and whose forwarded headers it believes. */
export function* checkProxy({ config }: Facts): Iterable<Finding> {
  const { host, port, trustProxy, publicUrl } = config;
  if (trustProxy === false) {
    if (!isLocalHost(host)) {
      yield finding("listens_openly", `The service listens on ${host} without a proxy in front.`);
    }
    return;
  }
  const wide = String(trustProxy)
    .split(",")
    .map((one) => one.trim())
    .filter(isWide);
  if (wide.length > 0) {
    yield finding("proxy_trusted_widely", `Everybody in ${wide.join(", ")} is taken for a proxy.`);
  }
  const own = publicUrl !== null && new URL(publicUrl).port === String(port);
  if (publicUrl === null || own) {
    yield finding(
      "proxy_trusted_without_proxy",
      `${String(trustProxy)} is believed as a proxy, and the public URL ${own ? "is the service's own port" : "names none"}.`,
    );
  }
}

function isWide(range: string): boolean {
  const bits = /\/(\d+)$/.exec(range)?.[1];
  return bits !== undefined && Number(bits) < (range.includes(":") ? NARROW.v6 : NARROW.v4);
}

/** Names and addresses of this machine in a URL. */
export function isLocalHost(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);
}

/** Hosts that cannot be reached from outside the own network. */
function isPrivateName(host: string): boolean {
  if (isLocalHost(host)) return true;
  const address = /^(10|127|0|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+)+$/.test(host);
  const inner = /\.(local|lan|internal|intranet|home\.arpa|test)$/.test(host);
  return address || inner || /^\[f[cde]/.test(host) || !/[.:]/.test(host);
}

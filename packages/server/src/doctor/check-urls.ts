import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";
import { isLocalHost, isPrivateName } from "./local-host.ts";

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

import type { Resolver } from "./resolver.ts";
import { bareHost, checkUrl, FAULT_SENTENCES, portOf, type UrlRules } from "./url-rules.ts";
import { vetAddresses } from "./vet-addresses.ts";

export interface CheckTargetDeps extends UrlRules {
  resolver: Resolver;
}

export type TargetVerdict =
  /** `resolved`: its name leads to an address now. */
  | { ok: true; resolved: boolean }
  | { ok: false; code: "url_invalid" | "target_blocked"; sentence: string };

/**
 * Judges a URL for saving and for a ping. A name that cannot be resolved now is accepted, because it may be set up
 * later. Every dial judges it again.
 */
export async function checkTarget(text: string, deps: CheckTargetDeps): Promise<TargetVerdict> {
  const checked = checkUrl(text, deps);
  if ("fault" in checked) {
    const code = checked.fault === "url_host_reserved" ? "target_blocked" : "url_invalid";
    return { ok: false, code, sentence: checked.sentence };
  }
  const host = bareHost(checked.url);
  let addresses: string[];
  try {
    addresses = await deps.resolver.resolve(host);
  } catch {
    return { ok: true, resolved: false };
  }
  const vetted = vetAddresses(host, addresses, portOf(checked.url), deps.allow);
  if ("addresses" in vetted) return { ok: true, resolved: true };
  return { ok: false, code: "target_blocked", sentence: FAULT_SENTENCES.url_host_reserved };
}

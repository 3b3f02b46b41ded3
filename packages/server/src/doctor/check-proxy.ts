import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";
import { isLocalHost } from "./local-host.ts";

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

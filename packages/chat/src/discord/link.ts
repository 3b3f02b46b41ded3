import { DISCORD_LIMITS } from "./limits.ts";

/**
 * An embed's link, as Discord takes it; null where it would refuse the whole message: other schemes, and hosts without
 * a public name such as `localhost`.
 */
export function linkOf(value: unknown): string | null {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (url.username !== "" || url.password !== "") return null;
  if (!/\.[a-z][a-z0-9-]*[a-z0-9]$/i.test(url.hostname)) return null;
  return url.href.length <= DISCORD_LIMITS.url ? url.href : null;
}

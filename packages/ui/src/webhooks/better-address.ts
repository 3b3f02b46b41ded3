import type { Attempt } from "@markethook/client";
import { HIDDEN } from "@markethook/protocol/shown-url";

export type Exchange = Pick<Attempt, "outcome" | "status" | "request" | "response">;

/** `https`: the same address with https; otherwise the whole address. */
export type Better = { kind: "target"; url: string } | { kind: "https" };

/** A server gives these where it has moved for good. */
const MOVED: ReadonlySet<number> = new Set([301, 308]);
/** Outcomes of a plain request to a server that wants https. */
const WANTS_HTTPS: ReadonlySet<string> = new Set([
  "redirect",
  "connection_closed",
  "connection_reset",
  "invalid_response",
]);
const WANTS_HTTPS_STATUSES: ReadonlySet<number> = new Set([400, 403, 426, 497]);

/** The better address that an exchange shows; null: none. */
export function betterAddress({ outcome, status, request, response }: Exchange): Better | null {
  if (request === null || outcome === "ok") return null;
  if (status !== null && MOVED.has(status)) {
    const target = targetOf(request.url, locationOf(response));
    if (target !== null) return { kind: "target", url: target };
  }
  const isRefusal = outcome === "http_error" && WANTS_HTTPS_STATUSES.has(status ?? 0);
  if (request.url.startsWith("http://") && (WANTS_HTTPS.has(outcome) || isRefusal)) {
    return { kind: "https" };
  }
  return null;
}

/** Only the scheme is changed; a port that is given stays, because nothing tells another one. */
export function withHttps(url: string): string {
  return url.replace(/^http:/, "https:");
}

function locationOf(response: Exchange["response"]): string | null {
  const header = response?.headers.find(([name = ""]) => name.toLowerCase() === "location");
  return header?.[1] ?? null;
}

/** Null: it is no https address, or it begins at a path that is not shown. */
function targetOf(from: string, location: string | null): string | null {
  if (location === null) return null;
  const isWhole = /^https?:\/\/|^\/\//i.test(location);
  if (from.endsWith(HIDDEN) && !isWhole && !location.startsWith("/")) return null;
  const url = URL.parse(location, from);
  return url?.protocol === "https:" && url.href !== from ? url.href : null;
}

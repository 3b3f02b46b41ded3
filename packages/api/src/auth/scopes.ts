import type { ApiScope } from "@markethook/protocol";

/** What a route asks of its caller; `any`: a key or session, whatever its scopes. */
export type RouteScope = ApiScope | "public" | "any";

export function hasScope(scopes: ReadonlySet<string>, needed: ApiScope): boolean {
  return scopes.has(needed) || scopes.has("admin");
}

/** What an owner may do in a portal session, to what is theirs. */
export const SESSION_SCOPES: ReadonlySet<ApiScope> = new Set([
  "resources:read",
  "webhooks:read",
  "webhooks:write",
  "secrets:read",
  "deliveries:read",
  "deliveries:write",
  "audit:read",
]);

/** As `SESSION_SCOPES`, in a session that was made without the right to reveal secrets. */
export const SECRETLESS_SESSION_SCOPES: ReadonlySet<ApiScope> = new Set(
  [...SESSION_SCOPES].filter((scope) => scope !== "secrets:read"),
);

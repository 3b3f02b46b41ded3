import type { ApiScope } from "@markethook/protocol";

/** The scope that a route needs; `any`: a key or session with any scopes. */
export type RouteScope = ApiScope | "public" | "any";

export function hasScope(scopes: ReadonlySet<string>, needed: ApiScope): boolean {
  return scopes.has(needed) || scopes.has("admin");
}

/** The scopes of an owner in a portal session, for their own data. */
export const SESSION_SCOPES: ReadonlySet<ApiScope> = new Set([
  "resources:read",
  "webhooks:read",
  "webhooks:write",
  "secrets:read",
  "deliveries:read",
  "deliveries:write",
  "audit:read",
]);

/** The same as `SESSION_SCOPES`, for a session that may not reveal secrets. */
export const SECRETLESS_SESSION_SCOPES: ReadonlySet<ApiScope> = new Set(
  [...SESSION_SCOPES].filter((scope) => scope !== "secrets:read"),
);

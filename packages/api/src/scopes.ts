/** What an API key may do. `admin` implies all others. */
export const API_SCOPES = [
  "events:write",
  "resources:write",
  "resources:read",
  "webhooks:write",
  "webhooks:read",
  "secrets:read",
  "deliveries:read",
  "deliveries:write",
  "notices:read",
  "portal:write",
  "operator:read",
  "audit:read",
  "users:erase",
  "admin",
] as const;

export type ApiScope = (typeof API_SCOPES)[number];

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

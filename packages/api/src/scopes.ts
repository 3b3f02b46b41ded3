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
  "admin",
] as const;

export type ApiScope = (typeof API_SCOPES)[number];

export function hasScope(scopes: ReadonlySet<string>, needed: ApiScope): boolean {
  return scopes.has(needed) || scopes.has("admin");
}

/** The rights of an API key. */
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

/** The purpose of each scope, for people who make keys. */
export const SCOPE_TEXTS: Readonly<Record<ApiScope, string>> = {
  "events:write": "report events",
  "resources:write": "add, change and delete resources",
  "resources:read": "read resources",
  "webhooks:write": "add, change, ping and delete webhooks; the answer shows a new secret",
  "webhooks:read": "read webhooks, without their secrets and of their URLs the host",
  "secrets:read": "read the secrets and the whole URLs of all webhooks",
  "deliveries:read": "read events and deliveries, with their payloads",
  "deliveries:write": "send again, send now, replay",
  "notices:read": "read notices to owners",
  "portal:write":
    "make portal sessions for any owner, and so do all that owners may: also read their secrets",
  "operator:read": "read the operator's overview",
  "audit:read": "read the audit log",
  "users:erase": "erase users",
  admin: "all of these, import, and manage keys",
};

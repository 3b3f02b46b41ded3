import { Type } from "typebox";
import { API_SCOPES, SCOPE_TEXTS } from "@markethook/protocol";
import { closed, Instant, InstantOrNull, model, nullable, oneOf } from "./fields.ts";

export const NoticeView = model("Notice", {
  no: Type.Integer({ description: "Grows; go on with `after`" }),
  kind: Type.String(),
  ownerId: Type.String(),
  resourceId: Type.String(),
  webhookId: nullable(Type.String()),
  detail: Type.Unsafe<Record<string, string | number | null>>({
    type: "object",
    additionalProperties: true,
    description: "Facts, without secrets; times are RFC 3339",
  }),
  createdAt: Instant,
});

export const ApiKeyId = Type.String({ pattern: "^key_[0-9a-z]{20}$" });

export const ApiKeyBody = closed({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scopes: Type.Array(oneOf(API_SCOPES), {
    minItems: 1,
    uniqueItems: true,
    description: API_SCOPES.map((scope) => `\`${scope}\`: ${SCOPE_TEXTS[scope]}`).join("; "),
  }),
  expiresAt: Type.Optional(
    nullable(Type.String({ format: "date-time", description: "RFC 3339. Default: never" })),
  ),
  addresses: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 32,
      uniqueItems: true,
      description:
        "Addresses and CIDRs that it may be used from, e.g. `192.0.2.0/24`. Default: anywhere",
    }),
  ),
});

export const RevokeQuery = closed({
  confirm: Type.Optional(
    Type.Boolean({ description: "Revoke the last key that can make keys all the same" }),
  ),
});

const members = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  createdAt: Instant,
  expiresAt: InstantOrNull,
  revokedAt: InstantOrNull,
  lastUsedAt: InstantOrNull,
  addresses: Type.Array(Type.String(), { description: "None: from anywhere" }),
};

export const ApiKeyView = model("ApiKey", members);

export const NewApiKeyView = model("NewApiKey", {
  ...members,
  key: Type.String({ description: "Shown this once" }),
});

import { LIMITS } from "@markethook/protocol";
import { Type } from "typebox";
import { closed, Instant, InstantOrNull, model, nullable, OwnerId, ResourceId } from "./fields.ts";

export const PortalSessionId = Type.String({ pattern: "^ps_[0-9a-z]{20}$" });

export const PortalSessionBody = closed({
  ownerId: OwnerId,
  resourceId: Type.Optional(
    Type.String({ ...ResourceId, description: "Only this one of the owner's resources" }),
  ),
  lifetimeSeconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 86_400,
      default: 3600,
      description: "How long the session lasts without use",
    }),
  ),
  longestSeconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 86_400,
      default: 43_200,
      description:
        "How long it lasts with use: the page renews it by `lifetimeSeconds` until then. Not more than `lifetimeSeconds`: it is never renewed",
    }),
  ),
  path: Type.Optional(
    Type.String({
      maxLength: LIMITS.urlLength,
      description:
        "The place that the link opens, as `/webhooks/{id}` or `/deliveries/{id}`; the list of webhooks if left out",
    }),
  ),
  revealSecrets: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        "Whether it may see the secrets of the owner's webhooks and make new ones in their place. Not needed by your own staff, who only look at what was delivered",
    }),
  ),
  returnUrl: Type.Optional(
    Type.String({
      maxLength: LIMITS.urlLength,
      pattern: "^https?://[^\\s]+$",
      description: "Where the page's way back leads",
    }),
  ),
});

const members = {
  id: Type.String(),
  ownerId: Type.String(),
  resourceId: nullable(
    Type.String({ description: "The only one it sees; null: all of the owner" }),
  ),
  expiresAt: Instant,
};

const RenewableUntil = nullable(
  Type.String({ ...Instant, description: "When renewals end; null: it cannot be renewed" }),
);

export const NewPortalSessionView = model("NewPortalSession", {
  ...members,
  url: Type.String({
    description: "Opens the page. Its code is good once, within five minutes, and is only here",
  }),
});

export const PortalSessionView = model("PortalSession", {
  ...members,
  createdAt: Instant,
  revealSecrets: Type.Boolean({ description: "Whether it may see secrets" }),
  openedAt: nullable(Type.String({ ...Instant, description: "When its link was opened" })),
  returnUrl: nullable(Type.String()),
});

export const ExchangeBody = closed({
  code: Type.String({ maxLength: 100, description: "Of the link's fragment" }),
  nonce: Type.Optional(
    Type.String({
      pattern: "^[0-9A-Za-z_-]{22,64}$",
      description:
        "At least 128 random bits. Anyone who repeats the call with the same one, because an answer was lost, gets the same session again",
    }),
  ),
});

export const OpenedPortalSessionView = model("OpenedPortalSession", {
  ...members,
  token: Type.String({ description: "Bearer token `mhs_…`; only here, a hash of it is stored" }),
  returnUrl: nullable(Type.String()),
});

export const RenewedPortalSessionView = model("RenewedPortalSession", {
  ...members,
  renewableUntil: RenewableUntil,
});

export const CurrentSessionView = model("CurrentSession", {
  kind: Type.String({ enum: ["session", "key"] }),
  id: Type.String(),
  ownerId: nullable(Type.String({ description: "Null: a key, which sees everything" })),
  resourceId: nullable(Type.String()),
  expiresAt: InstantOrNull,
  renewableUntil: RenewableUntil,
  scopes: Type.Array(Type.String()),
  returnUrl: nullable(Type.String()),
  serviceName: Type.String(),
  headerNames: Type.Object({
    version: Type.String(),
    signature: Type.String(),
    signatureNext: Type.String(),
    hookId: Type.String(),
    resourceId: Type.String(),
    deliveryId: Type.String(),
    attempt: Type.String(),
  }),
  baseUrl: Type.String({ description: "Of resource pages" }),
  development: Type.Boolean(),
  dryRun: Type.Boolean({ description: "Nothing is sent except to `allowTargets`" }),
  allowTargets: Type.Array(Type.String(), {
    description: "CIDRs that receivers may have although not public",
  }),
  disableAfterMs: Type.Integer({
    description: "A webhook is disabled that has failed for so long",
  }),
  version: Type.String(),
  store: Type.String({ enum: ["sqlite", "postgres"] }),
});

import { headerNames } from "@markethook/protocol";
import { OWNER_ID, RESOURCE_ID, type Scene, WEBHOOK_ID } from "../sample-request.ts";
import type { OperationExamples } from "./operation-example.ts";

const RETURN_URL = "https://market.example/resource/castle/edit";
const session = {
  id: "ps_0a1b2c3d4e5f6g7h8i9j",
  ownerId: OWNER_ID,
  resourceId: RESOURCE_ID,
  expiresAt: "2026-01-02T01:00:00.000Z",
};
const RENEWABLE_UNTIL = "2026-01-02T12:00:00.000Z";
const TOKEN = "mhs_…";

/** Of the owner's page, and of notices. */
export function portalExamples({
  serviceName,
  baseUrl,
  publicUrl,
  version,
}: Scene): OperationExamples {
  return {
    createPortalSession: {
      requests: {
        owner: { ownerId: OWNER_ID, resourceId: RESOURCE_ID, returnUrl: RETURN_URL },
        oneWebhook: { ownerId: OWNER_ID, path: `/webhooks/${WEBHOOK_ID}` },
        staff: { ownerId: OWNER_ID, revealSecrets: false, lifetimeSeconds: 900 },
      },
      answers: { 201: { ...session, url: `${publicUrl}/portal/#code=…` } },
    },
    listPortalSessions: {
      answers: {
        200: {
          items: [
            {
              ...session,
              createdAt: "2026-01-02T00:00:00.000Z",
              revealSecrets: true,
              openedAt: "2026-01-02T00:00:02.000Z",
              returnUrl: RETURN_URL,
            },
          ],
        },
      },
    },
    exchangePortalCode: {
      requests: { link: { code: "…" } },
      answers: { 200: { ...session, token: TOKEN, returnUrl: RETURN_URL } },
    },
    renewCurrentSession: { answers: { 200: { ...session, renewableUntil: RENEWABLE_UNTIL } } },
    getCurrentSession: {
      answers: {
        200: {
          kind: "session",
          ...session,
          renewableUntil: RENEWABLE_UNTIL,
          scopes: ["resources:read", "webhooks:read", "webhooks:write", "deliveries:read"],
          returnUrl: RETURN_URL,
          serviceName,
          headerNames: headerNames(serviceName),
          baseUrl,
          development: false,
          dryRun: false,
          allowTargets: [],
          disableAfterMs: 432_000_000,
          version,
          store: "sqlite",
        },
      },
    },
    endCurrentSession: { answers: { 204: null } },
    revokePortalSession: { answers: { 204: null } },
    listNotices: { answers: { 200: { items: [NOTICE], after: 17 } } },
  };
}

export const NOTICE = {
  no: 17,
  kind: "webhook_disabled",
  ownerId: OWNER_ID,
  resourceId: RESOURCE_ID,
  webhookId: WEBHOOK_ID,
  detail: { reason: "failing" },
  createdAt: "2026-01-02T00:00:00.000Z",
};

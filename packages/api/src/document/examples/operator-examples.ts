import { OWNER_ID, RESOURCE_ID, type Scene, WEBHOOK_ID } from "../sample-request.ts";
import { type OperationExamples, page } from "./operation-example.ts";
import { NOTICE } from "./portal-examples.ts";

const AT = "2026-01-02T00:00:00.000Z";
const apiKey = {
  id: "key_0a1b2c3d4e5f6g7h8i9j",
  name: "shop",
  scopes: ["events:write", "resources:write"],
  createdAt: AT,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  addresses: ["192.0.2.0/24"],
};
const change = {
  no: 41,
  at: AT,
  actor: { kind: "api_key", id: apiKey.id, name: apiKey.name },
  action: "webhook.change",
  subject: { kind: "webhook", id: WEBHOOK_ID },
  ownerId: OWNER_ID,
  resourceId: RESOURCE_ID,
  before: { description: "" },
  after: { description: "Roles for buyers" },
  requestId: "req_abcdefghij1",
};

/** Of keys, figures and records of the marketplace's own. */
export function operatorExamples({ version }: Scene): OperationExamples {
  return {
    listApiKeys: { answers: { 200: { items: [apiKey] } } },
    createApiKey: {
      requests: {
        shop: { name: apiKey.name, scopes: apiKey.scopes, addresses: apiKey.addresses },
      },
      answers: { 201: { ...apiKey, key: "mh_…" } },
    },
    revokeApiKey: { answers: { 204: null } },
    operatorOverview: {
      answers: {
        200: {
          readAt: AT,
          dueNow: 0,
          oldestDueSeconds: 0,
          waiting: 2,
          leased: 1,
          deliveriesPerSecond: 3.5,
          attempts: [{ host: "bot.example", outcome: "ok", count: 812 }],
          webhooks: { active: 120, paused: 3, disabled: 1 },
          suspects: [],
          disabledList: [],
          failingList: [
            {
              id: "wh_1a2b3c4d5e6f7g8h9i0j",
              resourceId: "castle",
              ownerId: "1001",
              host: "bot.example",
              failingSince: AT,
              lastOutcome: "http_error",
              lastStatus: 503,
            },
          ],
          instances: [
            { name: "a", version, startedAt: AT, renewedAt: AT, networkSuspected: false },
          ],
          leaseMs: 8000,
          notices: [NOTICE],
          changes: [change],
          allowTargets: [],
          dryRun: false,
          noticePosts: null,
          storeKind: "sqlite",
          storeBytes: 40_960_000,
          version,
          uptimeSeconds: 86_400,
          masterKeys: [{ id: "a1b2c3d4", encrypts: true }],
        },
      },
    },
    listAudit: { answers: { 200: page(change) } },
    checkAudit: {
      answers: {
        200: { checked: 41, next: null, head: { no: 41, hash: "…" }, broken: null },
      },
    },
    eraseUser: {
      requests: { count: { dryRun: true }, erase: {} },
      answers: {
        200: { events: 3, deliveries: 6, cancelled: 0, open: 0, examined: 9, cursor: null },
      },
    },
    index: {
      answers: {
        200: {
          service: "markethook",
          version,
          links: { reference: "/docs/", openapi: "/v1/openapi.json" },
        },
      },
    },
    health: { answers: { 200: { status: "alive" } } },
    readiness: { answers: { 200: { status: "ready", checks: { store: "writable" } } } },
    metrics: {
      answers: {
        200: "# TYPE markethook_events_accepted_total counter\nmarkethook_events_accepted_total 4711\n",
      },
    },
  };
}

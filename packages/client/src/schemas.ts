import type { components, operations } from "./generated/api.ts";

type Schemas = components["schemas"];
type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { "application/json": infer B } };
}
  ? B
  : never;
type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { "application/json": infer A } } };
}
  ? A
  : never;
type Query<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;

/** Answers of the API, by the names of its reference. */
export type Resource = Schemas["Resource"];
export type Webhook = Schemas["Webhook"];
export type NewWebhook = Schemas["NewWebhook"];
export type ChangedWebhook = Schemas["ChangedWebhook"];
export type Delivery = Schemas["Delivery"];
export type DeliveryDetail = Schemas["DeliveryDetail"];
export type Attempt = Schemas["Attempt"];
/** The failed deliveries of a webhook, grouped by cause. */
export type Failures = Answer<"listFailures">;
/** Counts of requests in a range, step by step. */
export type Activity = Answer<"getActivity">;
export type ActivityFilter = Omit<Query<"getActivity">, "ownerId">;
export type Checkup = Schemas["Checkup"];
export type PingResult = Schemas["PingResult"];
export type StoredEvent = Schemas["Event"];
export type Notice = Schemas["Notice"];
export type AuditEntry = Schemas["AuditEntry"];
export type AuditCheck = Schemas["AuditCheck"];
export type ApiKey = Schemas["ApiKey"];
export type NewApiKey = Schemas["NewApiKey"];
export type PortalSession = Schemas["PortalSession"];
export type NewPortalSession = Schemas["NewPortalSession"];
export type OpenedPortalSession = Schemas["OpenedPortalSession"];
export type RenewedPortalSession = Schemas["RenewedPortalSession"];
export type CurrentSession = Schemas["CurrentSession"];
export type EventSummary = Schemas["EventSummary"];
export type EventExplanation = Schemas["EventExplanation"];
export type UrlCheck = Schemas["UrlCheck"];
export type Verification = Schemas["Verification"];
export type OperatorOverview = Schemas["OperatorOverview"];
export type Problem = Schemas["Problem"];
export type ImportResult = Schemas["ImportResult"];

/** Bodies that the API takes. */
export type ResourceInput = Body<"putResource">;
export type SampleInput = Body<"sendSample">;
export type ResourceItem = Body<"putResources">["items"][number];

/** A report of an event, by `event`: of a user event, or of an update. */
export type EventInput = Schemas["EventReport"];
export type UserEventReport = Schemas["UserEventReport"];
export type UpdateReport = Schemas["UpdateReport"];
/** The same in a batch, with its `resourceId`. */
export type EventItem = Schemas["EventReportItem"];
export type UserEventItem = Schemas["UserEventItem"];
export type UpdateItem = Schemas["UpdateItem"];
export type WebhookInput = Body<"createWebhook">;
export type WebhookChange = Body<"changeWebhook">;
export type RotateInput = Body<"rotateSecret">;
export type PortalSessionInput = Body<"createPortalSession">;
export type VerifyInput = Body<"verifyRequest">;
export type ApiKeyInput = Body<"createApiKey">;
export type ImportRecord = Body<"importRecords">["records"][number];
export type HeldDeliveries = Body<"resumeWebhook">["held"];
export type ReplayRange = Omit<Body<"replayWebhook">, "dryRun" | "cursor">;

/** Filters of lists. Cursors and pages are the client's affair, and whose things are seen is `forOwner`'s. */
export type DeliveryFilter = Omit<Query<"listDeliveries">, "ownerId" | "limit" | "cursor">;
export type EventFilter = Omit<NonNullable<Query<"listEvents">>, "ownerId" | "limit" | "cursor">;
export type AuditFilter = Omit<NonNullable<Query<"listAudit">>, "ownerId" | "limit" | "cursor">;
export type StreamFilter = Omit<Query<"streamDeliveries">, "ownerId">;

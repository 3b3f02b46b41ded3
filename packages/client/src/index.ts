export type { CallOptions } from "./call.ts";
export { createClient, type Client, type ClientOptions } from "./create-client.ts";
export type { RedeliverOptions } from "./deliveries.ts";
export {
  ApiError,
  UnexpectedAnswerError,
  UnreachableError,
  type ProblemCode,
  type UnreachableReason,
} from "./errors.ts";
export type { StreamOptions } from "./delivery-stream.ts";
export type { ReportOptions, ReportResult } from "./events.ts";
export type { components, operations, paths } from "./generated/api.ts";
export type { ItemResult, Tally } from "./item-result.ts";
export type { FollowOptions, NoticesOptions } from "./notices.ts";
export type { ImportOptions } from "./imports.ts";
export type { ListOptions } from "./pages.ts";
export type { EraseOptions, EraseProgress } from "./users.ts";
export type { CheckOptions } from "./audit.ts";
export type { ReplayCount, ReplayOptions, ReplayProgress } from "./replay.ts";
export type { WaitingCount } from "./send-waiting.ts";
export type { ReportManyOptions } from "./report-many.ts";
export type { PutManyOptions, PutResult } from "./resources.ts";
export type { RetrySettings } from "./retry-policy.ts";
export type * from "./schemas.ts";
export type { Secrets } from "./secrets.ts";
export type { Fetch } from "./transport.ts";
export type { CopyResult, ListWebhooksOptions, PingOptions } from "./webhooks.ts";

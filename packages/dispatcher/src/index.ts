export { DEFAULT_SCHEDULE, parseSchedule } from "./deliver/retry-schedule.ts";
export type { AttemptOutcome } from "./deliver/judge-answer.ts";
export { createDispatcher, type Dispatcher } from "./wiring/dispatcher.ts";
export type { DispatcherStatistics } from "./wiring/dispatcher.ts";
export type { DispatcherOptions } from "./wiring/dispatcher-options.ts";
export { type AllowList, parseAllowList } from "./guard/allow-list.ts";
export type { WebhookCheckup } from "./ping/check-webhook.ts";
export { type Checkup, runCheckup } from "./ping/run-checkup.ts";
export { signed } from "./ping/checkup-probes.ts";
export { type CheckupReply, isAccepted, PING_FAILED } from "./ping/verdict.ts";
export { checkTarget, type TargetVerdict } from "./guard/check-target.ts";
export {
  createResolver,
  findOutOfFiles,
  type LearningResolver,
  type Resolver,
} from "./guard/resolver.ts";
export { DEFAULT_BLOCKED_PORTS, placeOf } from "./guard/url-rules.ts";
export { createDryRun, type DryRun } from "./gates/dry-run.ts";
export { createNoticePoster } from "./notices/notice-poster.ts";
export type { Observer } from "./wiring/observer.ts";
export type { PingResult } from "./ping/ping.ts";
export type { EgressProxy } from "./send/egress-proxy.ts";
export { createSender, type Sender } from "./send/sender.ts";
export { startSigned } from "./send/signed-exchange.ts";
export { createThreadedSender } from "./send/threads/threaded-sender.ts";
export { sentenceFor } from "./deliver/outcome-sentences.ts";
export { DEFAULT_SETTINGS, type DispatcherSettings } from "./wiring/settings.ts";

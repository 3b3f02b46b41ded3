export { DEFAULT_SCHEDULE, parseDuration, parseSchedule } from "./backoff.ts";
export type { AttemptOutcome } from "./classify.ts";
export {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  type DispatcherStatistics,
} from "./dispatcher.ts";
export { type AllowList, parseAllowList } from "./guard/allow-list.ts";
export { checkTarget, type TargetVerdict } from "./guard/check-target.ts";
export { createResolver, type Resolver } from "./guard/resolver.ts";
export { DEFAULT_BLOCKED_PORTS } from "./guard/url-rules.ts";
export { type Observer, SILENT } from "./observer.ts";
export type { PingResult } from "./ping.ts";
export { createSender, type Sender } from "./send/sender.ts";
export { sentenceFor } from "./sentences.ts";
export { DEFAULT_SETTINGS, type DispatcherSettings } from "./settings.ts";

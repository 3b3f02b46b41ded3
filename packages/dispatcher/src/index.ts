export { DEFAULT_SCHEDULE, parseDuration, parseSchedule } from "./backoff.ts";
export type { AttemptOutcome } from "./classify.ts";
export {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  type DispatcherStatistics,
} from "./dispatcher.ts";
export { type AllowList, parseAllowList } from "./guard/allow-list.ts";
export { type ChatOrigins } from "./chat/chat-route.ts";
export { checkTarget, type TargetVerdict } from "./guard/check-target.ts";
export { createResolver, type Resolver } from "./guard/resolver.ts";
export { DEFAULT_BLOCKED_PORTS, placeOf } from "./guard/url-rules.ts";
export { createHold, type Hold } from "./hold.ts";
export { createNoticePoster, type NoticePoster } from "./notices/notice-poster.ts";
export { type Observer, SILENT } from "./observer.ts";
export type { PingResult } from "./ping.ts";
export { createSender, type Sender } from "./send/sender.ts";
export { sentenceFor } from "./sentences.ts";
export { DEFAULT_SETTINGS, type DispatcherSettings } from "./settings.ts";

export type { Actor } from "./auth/actor.ts";
export { hashApiKey, isApiKeyForm, makeApiKey } from "./auth/token.ts";
export type {
  ApiLogger,
  ApiStore,
  AppDeps,
  AttemptTimings,
  PingResult,
  Readiness,
  ShownRequest,
  ShownResponse,
  TargetCheck,
  Verification,
  VerifyInput,
} from "./app-deps.ts";
export type { ConnectionLimits, CutReason } from "./request/connections/connection-limits.ts";
export { chosenEncoding } from "./request/outgoing-answers.ts";
export { createApp } from "./create-app.ts";

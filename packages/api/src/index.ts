export type { Actor } from "./actor.ts";
export { hashApiKey, isApiKeyForm, makeApiKey } from "./api-key.ts";
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
export type { ConnectionLimits, CutReason } from "./connections/connection-limits.ts";
export { chosenEncoding } from "./compress-answers.ts";
export { createApp } from "./create-app.ts";
export { API_SCOPES, hasScope, SCOPE_TEXTS, type ApiScope } from "./scopes.ts";

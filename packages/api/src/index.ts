export { hashToken, isApiKeyForm, makeApiKey } from "./auth/token.ts";
export type { AppDeps, Verification, VerifyInput } from "./app-deps.ts";
export type { ConnectionLimits, CutReason } from "./request/connections/connection-limits.ts";
export { chosenEncoding } from "./request/outgoing-answers.ts";
export { createApp } from "./create-app.ts";

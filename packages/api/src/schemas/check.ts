import { LIMITS } from "@markethook/protocol";
import { Type } from "typebox";
import { AbsentableResourceId, closed, code, model, nullable } from "./fields.ts";
import { UrlRemarks, WebhookId } from "./webhook.ts";

export const CheckUrlBody = closed({
  url: Type.String({ maxLength: 2 * LIMITS.urlLength }),
  resourceId: Type.Optional(
    Type.String({ ...AbsentableResourceId, ...code("resource_id_invalid") }),
  ),
  webhookId: Type.Optional(
    Type.String({
      ...WebhookId,
      description: "The webhook that gets the URL: its own address is not remarked on",
    }),
  ),
});

export const UrlCheckView = model("UrlCheck", {
  ok: Type.Boolean(),
  format: Type.String({ description: "`json`, or the chat platform whose address it is" }),
  label: nullable(Type.String({ description: "The chat platform's name for people" })),
  shownUrl: Type.String({ description: "Of a chat: without what lets one post" }),
  defaultEvents: nullable(
    Type.Array(Type.String(), { description: "Chosen where none are; null: all events" }),
  ),
  faults: Type.Array(Type.Object({ code: Type.String(), sentence: Type.String() })),
  remarks: UrlRemarks,
});

export const VerifyBody = closed({
  headers: Type.Unsafe<Record<string, string>>({
    type: "object",
    additionalProperties: { type: "string", maxLength: 8192 },
    maxProperties: 100,
    description: "As they were received; case does not matter",
  }),
  body: Type.String({ maxLength: 2 * LIMITS.eventBytes, description: "The exact text" }),
  secret: Type.Optional(Type.String({ maxLength: 300 })),
  webhookId: Type.Optional(
    Type.String({ ...WebhookId, description: "Instead of `secret`: by this webhook's secrets" }),
  ),
});

export const VerificationView = model("Verification", {
  valid: Type.Boolean(),
  event: Type.Optional(Type.String({ description: "Name of the event in a valid request" })),
  cause: Type.Optional(
    Type.Object({
      code: Type.String(),
      sentence: Type.String({ description: "What is wrong" }),
      advice: Type.String({ description: "What to do" }),
    }),
  ),
});

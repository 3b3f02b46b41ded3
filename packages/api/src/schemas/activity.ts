import { HISTORY_HOURS } from "@markethook/store";
import { Type } from "typebox";
import { ActingFor, closed, Instant, nullable, ResourceId, UnixSeconds } from "./fields.ts";
import { WebhookFilter } from "./webhook.ts";

export const ActivityQuery = closed({
  ownerId: ActingFor,
  resourceId: Type.Optional(Type.String({ ...ResourceId, description: "Of this resource only" })),
  webhookId: WebhookFilter,
  from: Type.Optional(
    Type.Integer({
      ...UnixSeconds,
      description: "Unix seconds, taken back to the full hour; a day before `to` if absent",
    }),
  ),
  to: Type.Optional(
    Type.Integer({ ...UnixSeconds, description: "Unix seconds, exclusive; now if absent" }),
  ),
  stepHours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: HISTORY_HOURS,
      default: 1,
      description: "Hours of each point",
    }),
  ),
});

const counts = {
  delivered: Type.Integer({ description: "Deliveries that arrived" }),
  retried: Type.Integer({ description: "Failed attempts that are followed by another one" }),
  givenUp: Type.Integer({ description: "Deliveries that were given up after a failed attempt" }),
  replyMs: nullable(
    Type.Object(
      {
        p50: Type.Number({ description: "Half of the replies took no longer" }),
        p95: Type.Number({ description: "95 of 100 replies took no longer" }),
      },
      {
        description:
          "Milliseconds of an attempt that got a reply, from connecting to the reply's end. Estimated from ten ranges: 20, 50, 100, 200, 500 ms, 1, 2, 5, 10 s and more. Null: no reply came",
      },
    ),
  ),
};

export const ActivityAnswer = Type.Object({
  from: Instant,
  to: Type.String({ ...Instant, description: "End of the last point, RFC 3339, UTC" }),
  stepHours: Type.Integer(),
  points: Type.Array(Type.Object({ at: Instant, ...counts }), {
    description: "In order, also those in which nothing was sent",
  }),
  total: Type.Object(counts, { description: "The whole range" }),
});

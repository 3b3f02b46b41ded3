import { Type } from "typebox";
import { storedEvent } from "./event.ts";
import {
  ActingFor,
  closed,
  Cursor,
  Instant,
  limit,
  model,
  oneOf,
  pageOf,
  ref,
  ResourceFilter,
  UserFilter,
} from "./fields.ts";

export const EventsQuery = closed({
  ownerId: ActingFor,
  resourceId: ResourceFilter,
  userId: UserFilter,
  limit: limit(50),
  cursor: Cursor,
});

const EventSummaryView = model("EventSummary", { ...storedEvent, acceptedAt: Instant });

export const EventList = pageOf(EventSummaryView);

const VERDICTS = [
  "sent",
  "pending",
  "waiting",
  "held",
  "not_chosen",
  "paused_since",
  "disabled",
  "created_later",
  "deleted",
  "blocked_address",
  "failed",
  "cancelled",
] as const;

export const ExplanationView = model("EventExplanation", {
  event: ref(EventSummaryView),
  webhooks: Type.Array(
    Type.Object({
      webhookId: Type.String(),
      url: Type.String({ description: "Without the part that is a secret of its owner" }),
      verdict: oneOf(VERDICTS),
      sentence: Type.String({ description: "For the owner" }),
      since: Type.Optional(Instant),
      deliveryId: Type.Optional(Type.String()),
      missing: Type.Optional(
        Type.Boolean({
          description: "It can be sent there all the same: replay with `include: missing`",
        }),
      ),
      behindDeliveryId: Type.Optional(Type.String({ description: "The delivery before it" })),
    }),
    { description: "One line per webhook of the resource; the newest first" },
  ),
});

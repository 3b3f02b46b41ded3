import {
  EVENT_SUBJECTS,
  LIMITS,
  REPORTED_EVENT_NAMES,
  type ReportedSubject,
} from "@markethook/protocol";
import { Type, type Static, type TSchema } from "typebox";
import {
  CLOSED,
  closed,
  code,
  idOf,
  Instant,
  model,
  nullable,
  oneOf,
  OwnerId,
  PRINTABLE,
  ref,
  registered,
  ResourceId,
  UnixSeconds,
} from "./fields.ts";
import { fileVersionMembers, FileVersionInput, subtitle, title } from "./resource.ts";

const detail = Type.Optional(Type.String({ maxLength: LIMITS.detailLength }));

export const IdempotencyKey = Type.String({
  pattern: PRINTABLE,
  description:
    "The id of the order line or refund line, so that a repeated report is recognised. It counts within its resource. Never made of resource, user and event: the same user can buy twice.",
  ...code("idempotency_key_invalid"),
});

/** The buyer. */
const User = closed(
  {
    id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      ...code("user_id_not_integer"),
    }),
  },
  { description: "The buyer: of the user events, and only of these" },
);

const Update = closed(
  {
    ...fileVersionMembers,
    time: Type.Optional(
      Type.Integer({ ...UnixSeconds, description: "Unix seconds. Default: `occurredAt`" }),
    ),
    title: Type.String({ maxLength: LIMITS.titleLength }),
    description: Type.String({
      maxLength: LIMITS.descriptionLength,
      description:
        "Plain text, sent on as it is. Receivers and chat messages show it as text: HTML and Markdown are not rendered",
    }),
  },
  { description: "The new file version: of `product.update`, and only of it" },
);

/** Members of every event. */
const common = {
  occurredAt: Type.Optional(
    Type.Integer({
      minimum: 0,
      // Not limited here: a time too far ahead has a code of its own.
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Unix seconds, at most 5 minutes ahead; becomes `time`. Default: now",
    }),
  ),
  resource: Type.Optional(
    closed(
      {
        title,
        subtitle,
        ownerId: OwnerId,
        fileVersion: Type.Optional(
          closed(FileVersionInput.properties, {
            description:
              "The current file version; with `product.update` the one before it. Default: the last one known",
          }),
        ),
      },
      { description: "Stored together with the event, as by PUT" },
    ),
  ),
  details: Type.Optional(
    closed(
      {
        buyerName: detail,
        amount: Type.Optional(
          Type.Union([
            Type.String({ maxLength: LIMITS.detailLength }),
            // Larger numbers would reach the receiver with other last digits.
            Type.Number({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
          ]),
        ),
        currency: detail,
        orderId: detail,
        reason: detail,
      },
      {
        description:
          "For chat messages and the log. Part of the signed body only at a webhook with `includeDetails`",
      },
    ),
  ),
  idempotencyKey: Type.Optional(IdempotencyKey),
};

/** Every event may have it. */
export type CommonMember = "event" | keyof typeof common;

const previous = Type.Optional(
  closed(FileVersionInput.properties, {
    description: "The file version before. Default: the last one known",
  }),
);

const members = {
  event: oneOf(REPORTED_EVENT_NAMES, code("event_unknown")),
  user: Type.Optional(User),
  update: Type.Optional(Update),
  previous,
  ...common,
};

/**
 * Reports are checked against this flat schema; `toAcceptItem` then checks which member belongs to which event. The
 * union by `event` below accepts the same reports, but its faults name no member, and it takes 318 ns instead of 180.
 */
export const EventBody = closed(members);

/** The same for an item of a batch. */
export const EventItem = closed({ resourceId: ResourceId, ...members });

/** Schema of a batch as a whole; its items are checked one by one. */
export const LooseEventBatch = closed({
  events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: LIMITS.batchItems }),
});

const eventsAbout = (subject: ReportedSubject) =>
  oneOf(REPORTED_EVENT_NAMES.filter((name) => EVENT_SUBJECTS[name] === subject));
const userEvent = { event: eventsAbout("user"), user: User, ...common };
const updateEvent = { event: eventsAbout("update"), update: Update, previous, ...common };
const item = { resourceId: ResourceId };

/** The same reports as a union by `event`, for the document and the types of the client. */
export const UserEventReport = model("UserEventReport", userEvent, CLOSED);
export const UpdateReport = model("UpdateReport", updateEvent, CLOSED);
export const EventReport = byEvent("EventReport", { user: UserEventReport, update: UpdateReport });

const UserEventItem = model("UserEventItem", { ...item, ...userEvent }, CLOSED);
const UpdateItem = model("UpdateItem", { ...item, ...updateEvent }, CLOSED);
const EventReportItem = byEvent("EventReportItem", { user: UserEventItem, update: UpdateItem });

export const EventBatch = closed({
  events: Type.Array(ref(EventReportItem), { minItems: 1, maxItems: LIMITS.batchItems }),
});

function byEvent<By extends Record<ReportedSubject, TSchema>>($id: string, schemas: By) {
  const mapping = REPORTED_EVENT_NAMES.map((name) => {
    return [name, `#/components/schemas/${idOf(schemas[EVENT_SUBJECTS[name]])}`];
  });
  return registered(
    Type.Unsafe<Static<By[ReportedSubject]>>({
      oneOf: Object.values(schemas).map(ref),
      discriminator: { propertyName: "event", mapping: Object.fromEntries(mapping) },
      $id,
    }),
  );
}

export const AcceptedEvent = Type.Object({
  status: Type.String({ enum: ["accepted"] }),
  eventId: Type.String(),
  deliveries: Type.Integer({ description: "How many webhooks it goes to" }),
});

export const DuplicateEvent = Type.Object({
  status: Type.String({ enum: ["duplicate"] }),
  eventId: Type.String({ description: "Of the event that was stored before" }),
});

/** Why an item of a batch was rejected, among the members of its result. */
export const rejection = {
  code: Type.Optional(Type.String({ description: "If rejected; a code of the catalogue" })),
  title: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  pointer: Type.Optional(Type.String({ description: "JSON Pointer into the whole body" })),
};

/** Flat, because choosing a branch of a union costs more than writing the result. */
export const EventResult = model("EventResult", {
  status: Type.String({ enum: ["accepted", "duplicate", "rejected"] }),
  eventId: Type.Optional(Type.String({ description: "Unless rejected" })),
  deliveries: Type.Optional(Type.Integer({ description: "If accepted" })),
  ...rejection,
});

/** Of each stored event, in lists and alone. */
export const storedEvent = {
  id: Type.String(),
  resourceId: Type.String(),
  event: Type.String(),
  time: Type.Integer({ description: "Unix seconds" }),
  userId: nullable(Type.Integer()),
  erased: Type.Boolean({ description: "Its user was erased" }),
};

export const EventView = model("Event", {
  ...storedEvent,
  payload: Type.Unknown({ description: "As receivers get it" }),
  details: Type.Unknown({ description: "As reported, or null" }),
  acceptedAt: Instant,
});

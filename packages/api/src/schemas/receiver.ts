import {
  EVENT_NAMES,
  EVENT_SUBJECTS,
  type EventName,
  type EventSubject,
} from "@markethook/protocol";
import { Type, type TSchema } from "typebox";
import { model } from "./fields.ts";

/** Requests to receivers, as the document describes them. Open: later versions may add members. */
const Product = Type.Object({
  id: Type.String({ description: "Of the resource" }),
  title: Type.String(),
  subtitle: Type.String({ description: "May be empty" }),
  url: Type.String({ description: "Of the resource's page, `{base_url}/resource/{id}`" }),
});

const User = Type.Object({ id: Type.Integer({ description: "A JSON number in every event" }) });

const text = Type.Optional(Type.String());
const details = Type.Optional(
  Type.Object(
    {
      buyerName: text,
      amount: Type.Optional(Type.Union([Type.String(), Type.Number()])),
      currency: text,
      orderId: text,
      reason: text,
    },
    {
      description:
        "As the marketplace reported them. Sent only to a webhook with `includeDetails`, and only with events that have some",
    },
  ),
);

const previousMembers = {
  version: Type.String({ description: "Version label" }),
  id: Type.String({ description: "Of the update's record" }),
  time: Type.Integer({ description: "Of that version's release, Unix seconds" }),
  size: Type.String({ pattern: "^[0-9]+$", description: "Bytes, in decimal digits" }),
  fileType: Type.String({ description: "File extension" }),
  branch: Type.String({ description: "Such as `release` or `snapshot`" }),
};

const PAYLOADS: Readonly<Record<EventSubject, TSchema>> = {
  webhook: Type.Object({
    product: Product,
    webhook: Type.Object({ url: Type.String({ description: "As the owner saved it" }) }),
  }),
  update: Type.Object({
    product: Product,
    previous: Type.Object(previousMembers, { description: "The version before" }),
    update: Type.Object(
      {
        ...previousMembers,
        title: Type.String({ description: "Of the update" }),
        description: Type.String({ description: "Of the update: text, as it was reported" }),
      },
      { description: "The new version" },
    ),
    details,
  }),
  user: Type.Object({ product: Product, user: User, details }),
};

const SCHEMA_NAMES: Readonly<Record<EventName, string>> = {
  ping: "ReceivedPing",
  "product.update": "ReceivedUpdate",
  "product.user.purchase": "ReceivedPurchase",
  "product.user.purchaseRemoved": "ReceivedPurchaseRemoval",
  "product.user.firstDownload": "ReceivedFirstDownload",
};

/** The body of a request to a receiver. */
export const RECEIVED_EVENTS: readonly { event: EventName; schema: TSchema }[] = EVENT_NAMES.map(
  (event) => ({
    event,
    schema: model(SCHEMA_NAMES[event], {
      event: Type.String({ enum: [event] }),
      time: Type.Integer({ description: "Of the event, Unix seconds" }),
      nonce: Type.String({
        pattern: "^[A-Za-z0-9_-]{16}$",
        description: "Differs per request, retries too",
      }),
      payload: PAYLOADS[EVENT_SUBJECTS[event]],
    }),
  }),
);

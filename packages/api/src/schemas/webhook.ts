import { chatFormats } from "@markethook/chat";
import {
  LIMITS,
  REPORTED_EVENT_NAMES,
  TEXT_LENGTHS,
  type WebhookFields,
} from "@markethook/protocol";
import { Type, type TSchema } from "typebox";
import { ChatInput, ChatOrNull } from "./chat.ts";
import {
  closed,
  code,
  ImportedSecret,
  Instant,
  InstantOrNull,
  model,
  nullable,
  oneOf,
  OwnerQuery,
  ResourceId,
  StepsBody,
  UnixSeconds,
} from "./fields.ts";

export const WebhookId = Type.String({ pattern: "^wh_[0-9a-z]{20}$" });
export const WebhookFilter = Type.Optional(
  Type.String({ ...WebhookId, description: "Of this webhook only" }),
);
/** Common to all operations on one webhook. */
export const ONE_WEBHOOK = {
  tag: "webhooks",
  params: closed({ id: WebhookId }),
  query: OwnerQuery,
} as const;

const url = Type.String({
  minLength: 1,
  maxLength: LIMITS.urlLength,
  description:
    "http or https; requests go to exactly this path and query. Or the address of a chat platform's webhook. Stored encrypted; answers show its host only",
  ...code("url_invalid"),
});

const fields = {
  events: Type.Optional(
    nullable(
      Type.Array(oneOf(REPORTED_EVENT_NAMES), {
        minItems: 1,
        uniqueItems: true,
        description: "Null: all events, also those of later versions",
      }),
    ),
  ),
  description: Type.Optional(Type.String({ maxLength: TEXT_LENGTHS.description })),
  includeDetails: Type.Optional(
    Type.Boolean({
      description:
        "Whether requests carry what was reported as `details` of an event, personal data among it, as `payload.details`. A chat's messages do not depend on it",
    }),
  ),
} satisfies Record<keyof WebhookFields, TSchema>;

const shownFields = {
  events: nullable(Type.Array(Type.String())),
  description: Type.String(),
  includeDetails: Type.Boolean({ description: "Whether requests carry details of events" }),
} satisfies Record<keyof WebhookFields, TSchema>;

export const WebhookBody = closed({
  url,
  ...fields,
  chat: Type.Optional(ChatInput),
  secret: Type.Optional(ImportedSecret),
});

export const WebhookChangeBody = closed({
  url: Type.Optional({
    ...url,
    description: "The shown form of the URL leaves it unchanged",
  }),
  ...fields,
  chat: Type.Optional(ChatInput),
  expected: Type.Optional(
    closed(
      {
        urlVersion: Type.Optional(Type.String({ maxLength: 100 })),
        ...fields,
        chat: Type.Optional(nullable(ChatInput)),
      },
      {
        description:
          "The values that the caller has read, as many as matter. If one has changed since, nothing is saved",
      },
    ),
  ),
});

export const WebhookView = model("Webhook", {
  id: Type.String(),
  resourceId: Type.String(),
  ownerId: Type.String(),
  url: Type.String({
    description:
      "The shown form: path and query are a secret, and `…` replaces them. `GET /webhooks/{id}/url` reveals them",
  }),
  urlVersion: Type.String({
    description: "Changes whenever the URL changes, also if the shown form stays the same",
  }),
  host: Type.String({ description: "The URL's name and port" }),
  format: Type.String({
    enum: ["json", ...chatFormats.map(({ name }) => name)],
    description: "`json`: signed requests; otherwise messages in a chat",
  }),
  chat: ChatOrNull,
  chatFault: nullable(
    Type.String({
      description: "Why a message of the owner's own could not be used since it was last changed",
    }),
  ),
  ...shownFields,
  state: Type.String({ enum: ["active", "paused", "disabled"] }),
  disabledReason: nullable(
    Type.String({
      enum: [
        "failing",
        "gone",
        "receiver_request",
        "owner_changed",
        "chat_deleted",
        "chat_token",
        "chat_forbidden",
      ],
    }),
  ),
  standardSignature: Type.Boolean({
    description: "Whether `webhook-signature` is sent. False: an imported secret is not base64",
  }),
  rotation: nullable(
    Type.Object(
      { until: InstantOrNull },
      { description: "Open rotation; until null: switched by hand" },
    ),
  ),
  dropping: Type.Boolean({ description: "Held deliveries are being cancelled" }),
  held: Type.Optional(
    Type.Object(
      { count: Type.Integer(), capped: Type.Boolean({ description: "There are more" }) },
      { description: "Held deliveries of a webhook that is not active. Not in lists" },
    ),
  ),
  failingSince: InstantOrNull,
  lastSuccessAt: InstantOrNull,
  lastFailureAt: InstantOrNull,
  givenUp: nullable(
    Type.Object(
      { count: Type.Integer(), since: Instant },
      {
        description:
          "Deliveries of the last seven days that are not tried again and that nobody has sent again, and the hour of the first",
      },
    ),
  ),
  health: Type.Object({
    hours: Type.Array(Type.Object({ ok: Type.Integer(), failed: Type.Integer() }), {
      description: "Requests of the last 24 hours by hour, oldest first, the present one last",
    }),
    lastAttempt: nullable(
      Type.Object({
        at: Instant,
        outcome: Type.String(),
        status: nullable(Type.Integer({ description: "HTTP status, if there was an answer" })),
      }),
    ),
  }),
  createdAt: Instant,
  updatedAt: Instant,
});

export const UrlRemarks = Type.Array(
  Type.Object({
    code: Type.String({
      description: "`not_encrypted`, `address_is_number` or `same_address`, more may come",
    }),
    sentence: Type.String(),
  }),
  { description: "What the owner should know about the URL, which is allowed" },
);

export const NewWebhookView = model("NewWebhook", {
  ...WebhookView.properties,
  secret: nullable(Type.String({ description: "Null: a chat gets no signed requests" })),
  remarks: UrlRemarks,
});

export const ChangedWebhookView = model("ChangedWebhook", {
  ...WebhookView.properties,
  remarks: UrlRemarks,
});

export const CopyBody = closed({
  resourceIds: Type.Array(ResourceId, { minItems: 1, maxItems: 100, uniqueItems: true }),
});

export const CopyResult = Type.Object({
  resourceId: Type.String(),
  status: Type.String({ enum: ["created", "rejected"] }),
  webhookId: Type.Optional(Type.String()),
  secret: Type.Optional(Type.String({ description: "Each copy has its own; none for a chat" })),
  code: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
});

export const RotateBody = closed({
  mode: Type.Optional(
    oneOf(["overlap", "switch_now"], {
      default: "overlap",
      description: "`switch_now` when the old secret has leaked",
    }),
  ),
  overlapSeconds: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.rotationOverlapSeconds,
        default: 86_400,
        description: "Both secrets sign for this long; null: until switched",
      }),
    ),
  ),
  secret: Type.Optional(ImportedSecret),
});

export const ResumeBody = closed({
  held: oneOf(["send", "drop"], { description: "What to do with the deliveries held so far" }),
});

export const PingBody = closed({
  secret: Type.Optional(oneOf(["current", "next"], { default: "current" })),
});

export const SampleBody = closed({
  event: oneOf(REPORTED_EVENT_NAMES),
  userId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      description: "The buyer of a user event. Take your own id: the receiver may act on it",
    }),
  ),
  dryRun: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Answers what would be sent, and sends nothing",
    }),
  ),
});

export const ReplayBody = closed({
  from: Type.Integer({
    ...UnixSeconds,
    description: "Deliveries made, or events reported, at or after; Unix seconds",
  }),
  to: Type.Integer({ ...UnixSeconds, description: "And before; Unix seconds" }),
  states: Type.Optional(
    Type.Array(oneOf(["delivered", "dead", "cancelled"]), {
      minItems: 1,
      uniqueItems: true,
      default: ["dead"],
    }),
  ),
  events: Type.Optional(
    Type.Array(oneOf(REPORTED_EVENT_NAMES), { minItems: 1, uniqueItems: true }),
  ),
  include: Type.Optional(
    oneOf(["missing"], {
      description:
        "Makes deliveries that never existed, instead of sending ended ones again: for events of this time, as far back as the log goes, that the webhook chooses now. Without `states`",
    }),
  ),
  confirm: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "With `include`: also sends events although a later one about the same buyer was sent",
    }),
  ),
  ...StepsBody.properties,
});

export const ReplayAnswer = Type.Object({
  count: Type.Optional(Type.Integer({ description: "Of a dry run" })),
  capped: Type.Optional(Type.Boolean({ description: "Of a dry run: there are more than counted" })),
  outOfOrder: Type.Optional(
    Type.Integer({
      description:
        "Of a dry run with `include`: how many would come after a later event about the same buyer. Without `confirm` they are left out and not counted",
    }),
  ),
  sending: Type.Optional(
    Type.Integer({
      description: "Of a dry run of `send-waiting`: how many are due now, or being sent",
    }),
  ),
  sent: Type.Optional(Type.Integer({ description: "Made in this step" })),
  cursor: Type.Optional(nullable(Type.String({ description: "Repeat with it until it is null" }))),
});

export const StopWaitingAnswer = Type.Object({
  stopped: Type.Integer({ description: "They wait for their next attempt again" }),
  more: Type.Boolean({ description: "Repeat it until this is false" }),
});

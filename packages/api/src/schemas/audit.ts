import { AUDIT_ACTIONS, AUDIT_SUBJECTS, LIMITS } from "@markethook/protocol";
import { Type } from "typebox";
import {
  ActingFor,
  closed,
  Cursor,
  Instant,
  limit,
  model,
  nullable,
  oneOf,
  ResourceFilter,
  TIME_FILTERS,
} from "./fields.ts";

const ACTOR_KINDS = ["api_key", "portal_session", "system", "command_line"] as const;

const facts = nullable(
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    description: "Without secrets; of a change only the changed values",
  }),
);

export const AuditView = model("AuditEntry", {
  no: Type.Integer({ description: "Counted from 1 without gaps" }),
  at: Instant,
  actor: Type.Object({
    kind: oneOf(ACTOR_KINDS),
    id: nullable(Type.String({ description: "Of the key or session; for the marketplace only" })),
    name: nullable(Type.String({ description: "For the marketplace only" })),
  }),
  action: oneOf(AUDIT_ACTIONS),
  subject: Type.Object({
    kind: oneOf(AUDIT_SUBJECTS),
    id: Type.String({ description: "For a user, a keyed hash" }),
  }),
  ownerId: nullable(Type.String()),
  resourceId: nullable(Type.String()),
  before: facts,
  after: facts,
  requestId: nullable(Type.String({ description: "As in the answer and the service's log" })),
});

/** A resource's, or one of ours. */
const idOf = (description: string) =>
  Type.Optional(
    Type.String({ maxLength: LIMITS.idLength, pattern: "^[A-Za-z0-9._~-]*$", description }),
  );

export const AuditQuery = closed({
  ownerId: ActingFor,
  resourceId: ResourceFilter,
  subjectId: idOf("Of the webhook, resource, key or other thing with this id only"),
  actorId: idOf("By the key or session with this id only"),
  action: Type.Optional(oneOf(AUDIT_ACTIONS, { description: "Of this action only" })),
  without: Type.Optional(
    oneOf(AUDIT_SUBJECTS, { description: "Leaves out changes of this kind of subject" }),
  ),
  ...TIME_FILTERS,
  limit: limit(50),
  cursor: Cursor,
});

export const AuditCheckQuery = closed({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "`next` of the answer before; left out: from the first row on",
    }),
  ),
});

export const AuditCheckView = model("AuditCheck", {
  checked: Type.Integer({ description: "Rows looked at by this request" }),
  next: nullable(Type.Integer({ description: "Ask again with it as `after`; null: the end" })),
  head: Type.Object(
    { no: Type.Integer(), hash: Type.String() },
    { description: "The newest row; written down elsewhere, it proves later what stood then" },
  ),
  broken: nullable(
    Type.Object(
      { no: Type.Integer(), why: Type.String() },
      { description: "The first row that is not as it was written; null: none so far" },
    ),
  ),
});

export const UserId = Type.String({ pattern: String.raw`^[1-9]\d{0,15}$` });

export const EraseAnswer = Type.Object({
  events: Type.Integer({ description: "Of the user, in all requests so far" }),
  deliveries: Type.Integer({ description: "Deliveries of these events, in all requests so far" }),
  cancelled: Type.Integer({ description: "Deliveries that had not ended, in all requests so far" }),
  open: Type.Integer({
    description: "Events that this request left out, because a delivery of them is being sent",
  }),
  examined: Type.Integer({
    description: "Upper bound of the rows looked at, in all requests so far",
  }),
  cursor: nullable(
    Type.String({ description: "Repeat with it, a second later where `open` is above 0" }),
  ),
});

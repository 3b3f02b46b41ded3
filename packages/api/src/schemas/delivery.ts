import { EVENT_NAMES } from "@markethook/protocol";
import { NEWEST_ATTEMPTS } from "@markethook/store";
import { Type, type Static } from "typebox";
import {
  ActingFor,
  closed,
  Cursor,
  Instant,
  InstantOrNull,
  limit,
  model,
  nullable,
  oneOf,
  OwnerQuery,
  ref,
  refOrNull,
  ResourceFilter,
  TIME_FILTERS,
  UserFilter,
} from "./fields.ts";
import { chatRemarks } from "./chat.ts";
import { WebhookFilter } from "./webhook.ts";

const SHOWN_STATES = [
  "pending",
  "waiting",
  "leased",
  "held",
  "delivered",
  "dead",
  "cancelled",
] as const;

/** Why a delivery is not tried before its next time, by code. */
export const NEXT_REASONS = {
  untried: "It has not been tried yet.",
  failed: "The last attempt failed.",
  asked_to_wait: "The receiver asked for a pause of all its deliveries.",
  quarantined:
    "Each time this was sent, the service ended without an answer. It is sent alone from now on, later each time.",
  waiting: "An earlier event about the same buyer or resource has not ended yet.",
  leased: "It is being sent now.",
  held: "The webhook is paused or disabled.",
};

const DeliveryId = Type.String({ pattern: "^dlv_[1-9a-z][0-9a-z]{10,20}$" });
/** Common to all operations on one delivery. */
export const ONE_DELIVERY = {
  tag: "deliveries",
  params: closed({ id: DeliveryId }),
  query: OwnerQuery,
} as const;
export const EventId = Type.String({ pattern: "^evt_[1-9a-z][0-9a-z]{10,20}$" });

const filters = {
  ownerId: ActingFor,
  resourceId: ResourceFilter,
  event: Type.Optional(oneOf(EVENT_NAMES, { description: "Of events of this name only" })),
  state: Type.Optional(
    oneOf(SHOWN_STATES, {
      description:
        "In this state only. `pending`: due now or later; `waiting`: behind an earlier event about the same buyer or resource; `leased`: being sent; `held`: its webhook is paused or disabled",
    }),
  ),
  status: Type.Optional(
    Type.Integer({ minimum: 100, maximum: 599, description: "HTTP status of the last attempt" }),
  ),
  statusClass: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 5, description: "First digit of that status: 5 for 5xx" }),
  ),
  userId: UserFilter,
  search: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 100,
      description:
        "The exact id of a delivery or an event; or part of a value of the payload or the details, such as the number of an order or a buyer, or of a reply. Upper and lower case are the same. Reads the newest 5,000 deliveries that match the other filters, for two seconds at most; go on with `nextCursor`",
    }),
  ),
  ...TIME_FILTERS,
  limit: limit(50),
  cursor: Cursor,
};

export const WebhookDeliveriesQuery = closed(filters);
export const DeliveriesQuery = closed({ ...filters, webhookId: WebhookFilter });

const summary = {
  id: Type.String(),
  eventId: Type.String(),
  event: Type.String(),
  time: Type.Integer({ description: "Of the event, Unix seconds" }),
  webhookId: Type.String(),
  resourceId: Type.String(),
  userId: nullable(Type.Integer()),
  state: Type.String({ enum: SHOWN_STATES }),
  reason: nullable(
    Type.String({
      description:
        "Why it ended, if the state does not say it; `quarantined`: the service ended while sending it, so it is sent alone and later",
    }),
  ),
  origin: Type.String({ enum: ["event", "redelivery", "ping"] }),
  attempts: Type.Integer({ description: "Requests made so far" }),
  lastOutcome: nullable(Type.String()),
  lastStatus: nullable(Type.Integer()),
  details: Type.Unknown({
    description: "What was reported for the log only, such as `buyerName` and `amount`; or null",
  }),
  version: nullable(Type.String({ description: "Of an update: the new file version's label" })),
  dueAt: InstantOrNull,
  createdAt: Instant,
  endedAt: InstantOrNull,
};

export const Searched = Type.Object({
  deliveries: Type.Integer({ description: "Number of deliveries searched for this page" }),
  backTo: nullable(
    Type.String({
      format: "date-time",
      description: "Creation of the oldest of them; null: none was searched",
    }),
  ),
});

export const DeliveryView = model("Delivery", summary);

const headers = (more = "") =>
  Type.Unsafe<[name: string, value: string][]>(
    Type.Array(Type.Array(Type.String()), { description: `[name, value], in wire order${more}` }),
  );
const sentHeaders = headers("; signatures are `…` for callers without `secrets:read`");

export const RequestView = model("SentRequest", {
  method: Type.String(),
  url: Type.String(),
  headers: sentHeaders,
  body: Type.String(),
});

export const ResponseView = model("ReceivedResponse", {
  status: Type.Integer(),
  headers: headers(),
  body: nullable(Type.String()),
  bodyBase64: Type.Optional(Type.String({ description: "Where the body is not UTF-8" })),
  bodyTruncated: Type.Optional(Type.Boolean()),
});

const milliseconds = nullable(Type.Number());

const TimingsView = model("Timings", {
  dnsMs: milliseconds,
  connectMs: milliseconds,
  tlsMs: milliseconds,
  firstByteMs: milliseconds,
  totalMs: Type.Number(),
});

const CertificateView = model("Certificate", {
  names: Type.String({ description: "Names and addresses that it is for" }),
  issuer: Type.String(),
  validFrom: Type.String({ description: "ISO 8601; empty where it is not known" }),
  validTo: Type.String(),
});

const refusedCertificate = {
  certificate: Type.Optional(
    Type.Unsafe<Static<typeof CertificateView>>({
      allOf: [ref(CertificateView)],
      description: "The server's, where it was refused; in its own words",
    }),
  ),
};

const SENT =
  "False: no byte of the request left, for example because no connection could be made; `request` is then what would have been sent";

const AttemptView = model("Attempt", {
  number: Type.Integer({ description: "Counted from 1" }),
  at: Instant,
  outcome: Type.String(),
  status: nullable(Type.Integer()),
  sent: Type.Boolean({ description: SENT }),
  timings: refOrNull(TimingsView),
  request: refOrNull(RequestView),
  response: refOrNull(ResponseView),
  ...refusedCertificate,
  ...chatRemarks,
  erased: Type.Optional(
    Type.Boolean({ description: "The buyer was erased: neither request nor body are known" }),
  ),
  operatorDetail: Type.Optional(Type.String({ description: "For the marketplace's own key only" })),
});

export const DeliveryDetailView = model("DeliveryDetail", {
  ...summary,
  payload: Type.Unknown(),
  next: nullable(
    Type.Object(
      {
        at: InstantOrNull,
        code: Type.String({ enum: Object.keys(NEXT_REASONS), description: "More may come" }),
        reason: Type.String({ description: "The code as a sentence" }),
      },
      { description: "When it is tried next, and why then; null once it has ended" },
    ),
  ),
  attemptList: Type.Array(ref(AttemptView), {
    description: `The newest ${NEWEST_ATTEMPTS}, in order of \`number\`; \`attempts\` counts all`,
  }),
});

const FailureGroup = Type.Object({
  outcome: Type.String(),
  status: nullable(Type.Integer()),
  sent: Type.Boolean({ description: SENT }),
  reply: Type.String({
    description: "The beginning of the newest answer's body, on one line; empty: there is none",
  }),
  count: Type.Integer({ description: "Deliveries whose last attempt had this result" }),
  givenUp: Type.Integer({ description: "The number of them that is not tried again" }),
  firstAt: Instant,
  lastAt: Instant,
  deliveryId: Type.String({ description: "The newest of them" }),
});

export const FailuresAnswer = Type.Object({
  groups: Type.Array(FailureGroup, { description: "Newest first, five at most" }),
  others: Type.Integer({ description: "Failed deliveries in groups that are left out" }),
  capped: Type.Boolean({
    description: "There may be more than the newest thousand of each kind that were looked at",
  }),
});

export const SendNowAnswer = Type.Object({
  deliveryId: Type.String(),
  earlier: Type.Integer({ description: "Deliveries about the same buyer that go before it" }),
});

export const RedeliverBody = closed({
  confirm: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Also after a later event about the same buyer",
    }),
  ),
});

export const PingView = model("PingResult", {
  deliveryId: Type.String(),
  eventId: Type.String(),
  outcome: Type.String(),
  status: nullable(Type.Integer()),
  sentence: Type.String({ description: "The result in plain words" }),
  sent: Type.Boolean({ description: SENT }),
  timings: refOrNull(TimingsView),
  request: ref(RequestView),
  response: refOrNull(ResponseView),
  refusal: Type.Optional(
    Type.String({
      description:
        "The beginning of the answer's body, where it reads like a refusal although the status says accepted",
    }),
  ),
  ...refusedCertificate,
  ...chatRemarks,
});

const CheckupProbe = Type.Object({
  probe: oneOf(
    [
      "repeat",
      "unknown_event",
      "no_signature",
      "empty_signature",
      "wrong_signature",
      "near_signature",
      "changed_body",
      "not_json",
      "other_id",
      "old",
      "no_standard_signature",
    ],
    { description: "Which request; also the value of its `X-{Service}-Checkup` header" },
  ),
  title: Type.String({ description: "What was sent, in a few words" }),
  kind: oneOf(["genuine", "forged", "recorded"], {
    description:
      "`genuine`: signed as every request is, to be accepted. `forged`: made without the secret, and `recorded`: a genuine one with other headers or too late; both to be refused",
  }),
  finding: oneOf(["right", "remark", "wrong", "unknown"], {
    description: "`remark`: it works, and could be better; `unknown`: no reply, or a 429",
  }),
  sentence: Type.String({ description: "What follows from the reply, in plain words" }),
  status: nullable(Type.Integer()),
  body: Type.String({ description: "The reply's body, at most 500 characters" }),
  ms: Type.Integer(),
});

export const CheckupView = model("Checkup", {
  verdict: oneOf(
    ["refuses_forgeries", "accepts_recorded", "accepts_forgeries", "cannot_tell", "ping_failed"],
    {
      description:
        "`accepts_recorded`: refuses forgeries, but accepts recorded requests again. `cannot_tell`: replies 2xx to all of them, or does not reply to each. `ping_failed`: nothing but the genuine ping was sent",
    },
  ),
  sentence: Type.String({ description: "The verdict in plain words" }),
  advice: nullable(Type.String({ description: "What to do" })),
  probes: Type.Array(CheckupProbe, { description: "In the order in which they were sent" }),
  ping: ref(PingView),
});

export const StreamQuery = closed({
  ownerId: ActingFor,
  resourceId: ResourceFilter,
  webhookId: WebhookFilter,
});

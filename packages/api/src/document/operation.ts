import { Type, type TSchema } from "typebox";
import { type ErrorCode, given } from "@markethook/protocol";
import { limitOf, type RouteLimit } from "../auth/owner-limits.ts";
import type { RouteScope } from "../auth/scopes.ts";

/** The groups of operations, in the order in which the reference shows them. */
const TAGS = {
  events: "Report events, and look up what was reported.",
  resources: "What is sold, and who owns it. Events and webhooks belong to a resource.",
  webhooks: "Where a resource's events are sent to: URL, chosen events, secret, state.",
  deliveries: "One event to one webhook, with all its attempts: look up, send again, follow live.",
  portal: "Sessions of the owner's page.",
  notices: "What owners should be told.",
  import: "Moving here from another system.",
  users: "Erasing a user.",
  "api-keys": "Keys of the marketplace's programs.",
  audit: "Who changed what.",
  operator: "How the service is doing.",
  service: "For machines around the service.",
  receivers: "What receivers get. Their own documentation is docs/reference/requests.md.",
} as const;

/** A group of operations of this API; `receivers` have the webhooks. */
type Tag = Exclude<keyof typeof TAGS, "receivers">;

export const TAG_LIST = Object.entries(TAGS).map(([name, description]) => ({ name, description }));

/** For routes without parameters of a kind: a misspelt filter must not silently widen a list. */
export const NoFields = Type.Object({}, { additionalProperties: false });

interface OperationInput<P, Q, B, R> {
  /** `operationId`; clients are generated from it. */
  id: string;
  summary: string;
  description?: string;
  tag: Tag;
  scope: RouteScope;
  /** The owner's limit in which each request counts; by default that of its scope. */
  limit?: RouteLimit;
  params?: P;
  query?: Q;
  body?: B;
  /** The documented form of the body, if the checked one differs. */
  documentedBody?: TSchema;
  /** No body counts as `{}`. */
  bodyOptional?: boolean;
  textPerItem?: boolean;
  /** Only documented: handlers read them, because checking all headers costs more than it finds. */
  headers?: TSchema;
  answers: R;
  /** Codes in addition to those of every route of its kind. */
  errors?: readonly ErrorCode[];
}

/** Tells the OpenAPI document about `bodyOptional`. */
export const BODY_OPTIONAL = "x-body-optional";

/** Key of `documentedBody`, which the OpenAPI document uses instead of the checked body. */
export const DOCUMENTED_BODY = "x-documented-body";

/** Key of an operation's error codes, from which the OpenAPI document makes its problem answers. */
export const ERROR_CODES = "x-error-codes";
/** The owner's limit in which a request counts, for readers of the document. */
const OWNER_LIMIT = "x-owner-limit";

/** Codes of every route that needs a key. */
const COMMON: readonly ErrorCode[] = [
  "credential_in_url",
  "unauthenticated",
  "scope_missing",
  "address_not_allowed",
  "key_rate_exceeded",
  "owner_limit_reached",
];
const WITH_BODY: readonly ErrorCode[] = [
  "json_invalid",
  "json_too_complex",
  "json_duplicate_key",
  "json_forbidden_key",
  "body_missing",
  "body_too_large",
  "content_type_unsupported",
  "encoding_unsupported",
  "field_invalid",
  "field_unknown",
  "text_invalid",
  "overloaded",
];
const ALWAYS: readonly ErrorCode[] = ["parameter_invalid", "internal", "store_unavailable"];

/** Schema, documentation and scope of a route, from one description. */
export function operation<
  R extends Record<number, TSchema>,
  P extends TSchema = typeof NoFields,
  Q extends TSchema = typeof NoFields,
  B extends TSchema = TSchema,
>(input: OperationInput<P, Q, B, R>) {
  const limit = input.limit ?? limitOf(input.scope);
  const codes = new Set<ErrorCode>([
    ...(input.scope === "public" ? [] : COMMON),
    ...(input.body === undefined ? [] : WITH_BODY),
    ...(input.errors ?? []),
    ...ALWAYS,
  ]);
  const schema = {
    operationId: input.id,
    summary: input.summary,
    description: descriptionOf(input.scope, input.description),
    tags: [input.tag],
    security:
      input.scope === "public" ? [] : [{ apiKey: input.scope === "any" ? [] : [input.scope] }],
    params: input.params ?? NoFields,
    querystring: input.query ?? NoFields,
    ...given({ body: input.body, [DOCUMENTED_BODY]: input.documentedBody, headers: input.headers }),
    ...(input.bodyOptional === true ? { [BODY_OPTIONAL]: true } : {}),
    [ERROR_CODES]: [...codes],
    ...(limit === null ? {} : { [OWNER_LIMIT]: limit }),
    response: input.answers,
  };
  return {
    config: {
      scope: input.scope,
      limit,
      textPerItem: input.textPerItem ?? false,
      bodyOptional: input.bodyOptional ?? false,
    },
    // The defaults above are the type's defaults.
    schema: schema as unknown as SchemaOf<P, Q, B, R>,
  };
}

interface SchemaOf<P, Q, B, R> {
  operationId: string;
  params: P;
  querystring: Q;
  body: B;
  response: R;
}

/** The description, if the summary does not say it all, and the scope that the route needs. */
function descriptionOf(scope: RouteScope, description: string | undefined): string {
  let needs = `Needs the scope \`${scope}\`.`;
  if (scope === "public") needs = "Needs no key.";
  if (scope === "any") needs = "Needs a key or a session.";
  return description === undefined ? needs : `${description}\n\n${needs}`;
}

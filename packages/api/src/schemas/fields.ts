import { LIMITS, RESOURCE_ID_PATTERN, type ErrorCode } from "@markethook/protocol";
import { Type, type Static, type TProperties, type TSchema, type TUnsafe } from "typebox";
import { CODE_KEYWORD } from "../request/validation.ts";

/** Closed: an unknown member is `field_unknown`. */
export const CLOSED = { additionalProperties: false } as const;

export function closed<Members extends TProperties>(members: Members, options = {}) {
  return Type.Object(members, { ...options, ...CLOSED });
}

/** The catalogue's code for faults of this schema. */
export function code(of: ErrorCode): Record<string, ErrorCode> {
  return { [CODE_KEYWORD]: of };
}

/** The schema's values, and null. Written as a type list, which serialises faster than a union. */
export function nullable<T extends TSchema>(
  schema: T & { type?: unknown; enum?: readonly unknown[] },
): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [schema.type, "null"],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  });
}

/** One of these texts. */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  options: Record<string, unknown> = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], ...options });
}

/** The schemas that stand under `components` of the document. */
export const MODELS: TSchema[] = [];

/** Puts a schema there, by its `$id`. */
export function registered<T extends TSchema>(schema: T): T {
  MODELS.push(schema);
  return schema;
}

/** An object that stands there by this name. */
export function model<Members extends TProperties>($id: string, members: Members, options = {}) {
  return registered(Type.Object(members, { ...options, $id }));
}

/** A reference to such a schema. */
export function ref<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  return Type.Unsafe<Static<T>>({ $ref: `${idOf(schema)}#` });
}

export function refOrNull<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ anyOf: [ref(schema), { type: "null" }] });
}

/** The name of a schema under `components`. */
export function idOf(schema: TSchema): string {
  // The types of TypeBox forget the options that a schema was made with.
  const { $id } = schema as { $id?: string };
  // Readers of the document would look for a file of that name.
  if ($id === undefined || !MODELS.includes(schema))
    throw new Error("only what stands under components can be referred to");
  return $id;
}

export const Instant = Type.String({
  format: "date-time",
  description: "RFC 3339, UTC, milliseconds",
});
export const InstantOrNull = nullable(Instant);

export const UnixSeconds = Type.Integer({
  minimum: 0,
  maximum: 253_402_300_799,
  description: "Unix seconds",
});

export const ResourceId = Type.String({
  pattern: RESOURCE_ID_PATTERN,
  ...code("resource_id_invalid"),
});

/** A path with an id that cannot exist is answered as not found. */
export const AbsentableResourceId = Type.String({ pattern: RESOURCE_ID_PATTERN });

export const OwnerId = Type.String({
  minLength: 1,
  maxLength: LIMITS.ownerIdLength,
  // In bodies all texts are checked for U+0000 at once; queries have no such check.
  pattern: String.raw`^[^\u0000]*$`,
});

export const ActingFor = Type.Optional(
  Type.String({
    ...OwnerId,
    description: "Act for this owner: see and touch only what is theirs.",
  }),
);

export const OwnerQuery = closed({ ownerId: ActingFor });

export const ResourceFilter = Type.Optional(
  Type.String({ ...AbsentableResourceId, description: "Of this resource only" }),
);

export const UserFilter = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "About this buyer only",
  }),
);

export const TIME_FILTERS = {
  from: Type.Optional(
    Type.Integer({ ...UnixSeconds, description: "Made at or after; Unix seconds" }),
  ),
  to: Type.Optional(Type.Integer({ ...UnixSeconds, description: "Made before; Unix seconds" })),
};

export const Cursor = Type.Optional(
  Type.String({
    maxLength: 1000,
    description: "From the page before",
    ...code("cursor_invalid"),
  }),
);

const NextCursor = nullable(
  Type.String({ description: "For the next page; null on the last one" }),
);

/** A page of a list. */
export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({ items: Type.Array(ref(item)), nextCursor: NextCursor });
}

/** Of an action in steps: it is repeated with the answer's cursor. */
export const StepsBody = closed({
  dryRun: Type.Optional(Type.Boolean({ default: false, description: "Count only" })),
  cursor: Type.Optional(Type.String({ maxLength: 1000, ...code("cursor_invalid") })),
});

export function limit(standard: number) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.pageSize,
      default: standard,
      description: "The most items that the answer has",
    }),
  );
}

/** As a header's value may be: printable ASCII. */
export const PRINTABLE = String.raw`^[\x20-\x7e]{1,255}$`;

export const ImportedSecret = Type.String({
  pattern: PRINTABLE,
  // Keys of signatures that are not HMAC: what is signed with them would be right for no receiver.
  not: { pattern: "^wh[sp]k_" },
  description: "An imported secret; leave it out to have one made",
  ...code("secret_invalid"),
});

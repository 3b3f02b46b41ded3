import * as fc from "fast-check";
import type { Arbitrary } from "fast-check";

/** The keywords of JSON Schema that our documents use. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

const anything = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    0.5,
    2 ** 53,
    1e308,
    "",
    "0",
    "\0",
    "\u{fffd}",
    "x".repeat(600),
    [],
    {},
  ),
  fc.constantFrom(JSON.parse('"\\ud83d"'), JSON.parse('{"__proto__": {"x": 1}}')),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Values that fit a schema, with now and then one that does not, at any depth. */
export function valuesNear(schema: unknown): Arbitrary<unknown> {
  // A document's schemas are objects.
  return near(schema as Schema);
}

function near(schema: Schema): Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything });
}

function fitting(schema: Schema): Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return fc.oneof(...branches.map(near));
  const types = [schema.type ?? "null"].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

function ofType(type: string, schema: Schema): Arbitrary<unknown> {
  switch (type) {
    case "object":
      return objects(schema);
    case "array":
      return fc.array(near(schema.items ?? {}), { maxLength: 3 });
    case "integer":
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1),
      });
    case "number":
      return fc.double({ noNaN: true });
    case "boolean":
      return fc.boolean();
    case "string":
      return schema.pattern === undefined
        ? fc.string({ maxLength: Math.min(schema.maxLength ?? 40, 40) })
        : fc.oneof(fc.stringMatching(new RegExp(schema.pattern)), fc.constant("map-1"));
    default:
      return fc.constant(null);
  }
}

function objects(schema: Schema): Arbitrary<unknown> {
  const members: Record<string, Arbitrary<unknown>> = {};
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    members[name] = near(member);
  const known = fc.record(members, { requiredKeys: schema.required ?? [] });
  const more = fc.option(fc.dictionary(fc.string({ maxLength: 6 }), anything, { maxKeys: 1 }), {
    freq: 15,
    nil: {},
  });
  return fc.tuple(known, more).map((parts) => Object.assign({}, ...parts));
}

import type { Schema } from "./operations.ts";
import type { Random } from "./random.ts";

export interface ValueContext {
  random: Random;
  schemas: Readonly<Record<string, Schema>>;
  /** The only hosts that a `url` may name: nothing may leave this machine. */
  receiverUrl: string;
  /** Ids and the like that exist, for texts that look like one. */
  known: readonly string[];
  /** Nothing but what fits, so that requests get past the first check. */
  tame: boolean;
}

const TEXTS = [
  "",
  " ",
  "0",
  "null",
  "map-1",
  "x".repeat(65),
  "x".repeat(501),
  "x".repeat(70_000),
  "é",
  "e\u0301",
  "😀",
  "\u202e\u2066x",
  "\0",
  "\u0007\u001b[31m",
  "{{7*7}}",
  "'; drop table events; --",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "=cmd()",
  "../../etc/passwd",
  "a\r\nX-Y: z",
  "2026-01-01T00:00:00.000Z",
  "9999-99-99T99:99:99Z",
  "__proto__",
  "%00",
] as const;

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  200,
  201,
  1000,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  1e21,
  1e308,
  -1e308,
  5e-324,
] as const;

/** One value that fits the schema, with now and then one inside it that does not. */
export function nearValue(schema: Schema, context: ValueContext, name = "", depth = 0): unknown {
  if (name === "url") return context.tame ? context.receiverUrl : urlNear(context);
  if (!context.tame && context.random.once(16)) return anything(context, depth);
  return fitting(schema, context, name, depth);
}

function fitting(schema: Schema, context: ValueContext, name: string, depth: number): unknown {
  const { random, schemas } = context;
  if (schema.$ref !== undefined) {
    const found = schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {};
    return nearValue(found, context, name, depth);
  }
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return nearValue(random.pick(branches), context, name, depth);
  switch (random.pick([schema.type ?? "null"].flat())) {
    case "object":
      return objectNear(schema, context, depth);
    case "array": {
      const length = !context.tame && random.once(200) ? 1001 : 1 + random.int(3);
      const items = schema.items ?? {};
      if (length > 4) return Array.from({ length }, () => null);
      return Array.from({ length }, () => nearValue(items, context, name, depth + 1));
    }
    case "integer":
      return context.tame ? random.int(1000) + (schema.minimum ?? 0) : integerNear(schema, random);
    case "number":
      return random.pick(NUMBERS);
    case "boolean":
      return random.once(2);
    case "string":
      return context.tame ? fittingText(schema, context) : textNear(schema, context);
    default:
      return null;
  }
}

function objectNear(schema: Schema, context: ValueContext, depth: number): unknown {
  const { random, tame } = context;
  const value: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) === true;
    if (isRequired ? !tame && random.once(40) : !random.once(tame ? 4 : 2)) continue;
    value[name] = nearValue(member, context, name, depth + 1);
  }
  if (!tame && random.once(25))
    value[random.pick(["x", "", "é", "a b", "x".repeat(300)])] = anything(context, depth);
  return value;
}

function integerNear(schema: Schema, random: Random): number {
  const { minimum = 0, maximum = 2 ** 53 - 1 } = schema;
  switch (random.int(8)) {
    case 0:
      return minimum;
    case 1:
      return maximum;
    case 2:
      return random.once(4) ? minimum - 1 : minimum + 1;
    case 3:
      return random.once(4) ? maximum + 1 : maximum - 1;
    case 4:
      return 1_767_000_000 + random.int(1e9);
    default:
      return minimum + random.int(Math.min(1000, maximum - minimum) + 1);
  }
}

function textNear(schema: Schema, { random, known }: ValueContext): string {
  const length = schema.maxLength ?? 64;
  switch (random.int(8)) {
    case 0:
      return random.pick(TEXTS);
    case 1:
      return "x".repeat(Math.min(length + random.int(2), 300_000));
    case 2:
      return random.bytes(random.int(40)).toString("latin1");
    case 3:
      return String(random.int(1_000_000));
    case 4:
      return new Date(1_767_000_000_000 + random.int(1e9)).toISOString();
    case 5:
      return `id-${random.int(50)}`;
    default:
      return random.pick(known);
  }
}

function fittingText(schema: Schema, { random, known }: ValueContext): string {
  const { pattern, minLength = 0, maxLength = 64 } = schema;
  const shape = pattern === undefined ? null : new RegExp(pattern, "u");
  const candidates = [
    ...known,
    `id-${random.int(50)}`,
    "zip",
    String(random.int(1e6)),
    "4.99",
    "EUR",
  ];
  const fit = candidates.filter(
    (text) => text.length >= minLength && text.length <= maxLength && shape?.test(text) !== false,
  );
  return fit.length === 0 ? "x" : random.pick(fit);
}

/** Also the bad ones lead to loopback, to an address that is refused, or are no URLs. */
function urlNear({ random, receiverUrl }: ValueContext): unknown {
  return random.once(2)
    ? receiverUrl
    : random.pick([
        `${receiverUrl}?q=${random.int(100)}#fragment`,
        receiverUrl.replace("//", "//user:pass@"),
        receiverUrl.replace("127.0.0.1", "127.1"),
        receiverUrl.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
        receiverUrl.replace("http:", "https:"),
        `${receiverUrl}/${"p".repeat(random.pick([1900, 2048, 5000]))}`,
        `${receiverUrl}/\u0000é 😀"<>`,
        "http://127.0.0.1:22/",
        "http://127.0.0.1:1/",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://0/",
        "ftp://127.0.0.1/",
        "javascript:alert(1)",
        "//127.0.0.1/",
        "http://",
        "nonsense",
        "",
        null,
        7,
        [],
      ]);
}

function anything(context: ValueContext, depth: number): unknown {
  const { random } = context;
  switch (random.int(7)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return random.pick(TEXTS);
    case 2:
      return random.pick(["\ud83d", "\udc00x", "a\ud83d"]);
    case 3:
      return null;
    case 4:
      return random.once(2);
    case 5:
      return depth > 3 ? [] : [anything(context, depth + 1)];
    default:
      return depth > 3
        ? {}
        : { [random.pick(["a", "id", "", "url "])]: anything(context, depth + 1) };
  }
}

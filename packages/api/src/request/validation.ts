import { TypeBoxValidatorCompiler } from "@fastify/type-provider-typebox";
import { errorEntry, LIMITS, type ErrorCode } from "@markethook/protocol";
import { pointerToken } from "@markethook/protocol/echo";
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { FieldProblem } from "./problem.ts";

/**
 * The keyword under which a schema names its error code of the catalogue. So the code stands next to its rule, and
 * OpenAPI shows it.
 */
export const CODE_KEYWORD = "x-error-code";

/** One fault of a TypeBox validator; only the members that are used here. */
export interface SchemaFault {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
  message: string;
}

/** Query and path are converted from text, bodies never. Headers are documented by schema but read by handlers. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = (route) => {
  if (route.httpPart === "headers") return () => true;
  const validate = compiledWhenUsed(route);
  if (route.httpPart !== "querystring") return validate;
  const integers = integerParameters(route.schema);
  // The conversion is lenient: it accepts 1.5 and 0x10 as integers.
  return (query: Record<string, unknown>) => {
    for (const name of integers) {
      const given = query[name];
      if (typeof given === "string" && !INTEGER.test(given)) query[name] = NOT_AN_INTEGER;
    }
    return validate(query);
  };
};

/** All routes at once would take a fifteenth of a start's time, and memory for those that nobody calls. */
const compiledWhenUsed: FastifySchemaCompiler<TSchema> = (route) => {
  let validate: ReturnType<FastifySchemaCompiler<TSchema>> | null = null;
  return (value) => (validate ??= TypeBoxValidatorCompiler(route))(value);
};

const INTEGER = /^(?:0|-?[1-9]\d{0,15})$/;
/** A text that no conversion turns into a number. */
const NOT_AN_INTEGER = "not an integer";

function integerParameters(schema: TSchema): string[] {
  const properties = memberOf(schema, "properties");
  if (typeof properties !== "object" || properties === null) return [];
  return Object.keys(properties).filter(
    (name) => memberOf(memberOf(properties, name), "type") === "integer",
  );
}

/** For a body whose items the handler checks one by one: `looser` is checked here, the schema is documented. */
export function looserBody(looser: TSchema): FastifySchemaCompiler<TSchema> {
  return (route) =>
    route.httpPart === "body"
      ? compiledWhenUsed({ ...route, schema: looser })
      : validatorCompiler(route);
}

/** Returns the most specific fault of a value; null: none. */
export type ItemCheck = (value: unknown) => FieldProblem | null;

/** Makes a check for values that are no request body of their own. */
export function createItemCheck(schema: TSchema): ItemCheck {
  const compiled = Compile(schema);
  return (value) =>
    compiled.Check(value)
      ? null
      : (fieldProblems(schema, compiled.Errors(value), "field_invalid")[0] ?? null);
}

/** Returns at least one problem, the most specific first. `general`: the code of faults whose schema names none. */
export function fieldProblems(
  schema: unknown,
  faults: readonly SchemaFault[],
  general: ErrorCode,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const fault of faults) {
    // Each unknown member is reported twice; faults in branches of a union are reported once, as the union.
    if (fault.keyword === "boolean" || /\/(anyOf|oneOf)\//.test(fault.schemaPath)) continue;
    addProblems(problems, schema, fault, general, faults);
  }
  problems.sort((a, b) => Number(isGeneral(a.code, general)) - Number(isGeneral(b.code, general)));
  if (problems.length === 0)
    problems.push({ code: general, pointer: "", detail: "is not allowed." });
  return problems;
}

function addProblems(
  problems: FieldProblem[],
  schema: unknown,
  fault: SchemaFault,
  general: ErrorCode,
  faults: readonly SchemaFault[],
): void {
  const at = pointer(fault.instancePath);
  if (fault.keyword === "additionalProperties") {
    const code = general === "field_invalid" ? "field_unknown" : general;
    for (const name of names(fault.params, "additionalProperties").slice(0, 8)) {
      problems.push({
        code,
        pointer: `${at}/${pointerToken(name)}`,
        detail: fieldsOf(schemaAt(schema, fault.schemaPath)),
      });
    }
    return;
  }
  if (fault.keyword === "required") {
    for (const name of names(fault.params, "requiredProperties")) {
      const path = `${fault.schemaPath}/properties/${name}`;
      problems.push({
        code: codeAt(schema, path) ?? general,
        pointer: `${at}/${name}`,
        detail: "This field is required.",
      });
    }
    return;
  }
  if (fault.keyword === "maxItems" && memberOf(fault.params, "limit") === LIMITS.batchItems) {
    problems.push({ code: "batch_too_large", pointer: at, detail: "There are too many items." });
    return;
  }
  const code = codeAt(schema, fault.schemaPath);
  problems.push({ code: code ?? general, pointer: at, detail: sentence(fault, code, faults) });
}

function isGeneral(code: ErrorCode, general: ErrorCode): boolean {
  return code === general || code === "field_unknown";
}

function sentence(
  fault: SchemaFault,
  code: ErrorCode | null,
  faults: readonly SchemaFault[],
): string {
  // A code of its own says in words which form or which values are right.
  if (code !== null && ["pattern", "enum", "not"].includes(fault.keyword)) {
    return errorEntry(code).title;
  }
  return fault.keyword === "anyOf" ? sentenceOfUnion(fault, faults) : `The value ${rule(fault)}.`;
}

/** Names the forms that the union allows. Faults of their members would be too many. */
function sentenceOfUnion(union: SchemaFault, faults: readonly SchemaFault[]): string {
  const rules = faults
    .filter(
      ({ schemaPath, instancePath }) =>
        schemaPath.startsWith(`${union.schemaPath}/anyOf/`) && instancePath === union.instancePath,
    )
    .map(rule);
  if (rules.length === 0) return "The value has none of the allowed forms.";
  return `The value ${rules.join(", or ")}.`;
}

function rule(fault: SchemaFault): string {
  if (fault.keyword !== "enum") return fault.message;
  return `must be one of ${names(fault.params, "allowedValues").join(", ")}`;
}

function schemaAt(schema: unknown, schemaPath: string): unknown {
  return schemaPath.split("/").slice(1).reduce(memberOf, schema);
}

function codeAt(schema: unknown, schemaPath: string): ErrorCode | null {
  // Only our own schemas carry the keyword, with codes of the catalogue.
  return (memberOf(schemaAt(schema, schemaPath), CODE_KEYWORD) as ErrorCode | undefined) ?? null;
}

/** For a misspelt name. */
function fieldsOf(schema: unknown): string {
  const known = Object.keys(Object(memberOf(schema, "properties")));
  return known.length === 0
    ? "No fields are allowed here."
    : `The fields here are ${known.join(", ")}.`;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  // The member exists, as just checked.
  return (value as Record<string, unknown>)[name];
}

function names(params: object, member: string): string[] {
  const list = memberOf(params, member);
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
}

/** Names in a path to a fault can be chosen by the caller, and have any length. */
function pointer(instancePath: string): string {
  return instancePath
    .split("/")
    .map((token) => (token.length > 64 ? pointerToken(token) : token))
    .join("/");
}

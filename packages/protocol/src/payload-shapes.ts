import { EVENT_NAMES, EVENT_SUBJECTS, type EventName, type EventSubject } from "./event-names.ts";
import { isObject } from "./json-object.ts";

/**
 * The payload schemas as JSON Schema, and a checker for just the keywords they use. The receiver library has no
 * dependencies, so it cannot bring a validator along. Extra members are allowed: a later version may add some.
 * `details` is one of these, so no receiver refuses a request because of it.
 */
export type Shape =
  | { readonly type: "string"; readonly pattern?: string }
  | { readonly type: "integer" }
  | {
      readonly type: "object";
      readonly properties: Readonly<Record<string, Shape>>;
      readonly required: readonly string[];
    };

function object(properties: Record<string, Shape>): Shape {
  return { type: "object", properties, required: Object.keys(properties) };
}

const text: Shape = { type: "string" };
const integer: Shape = { type: "integer" };
const digits: Shape = { type: "string", pattern: "^[0-9]+$" };

const productShape = object({ id: text, title: text, subtitle: text, url: text });
const versionMembers = {
  version: text,
  id: text,
  time: integer,
  size: digits,
  fileType: text,
  branch: text,
};

/** Of `previous`. */
export const FILE_VERSION_SHAPE = object(versionMembers);

/** Members stand in the order in which they are sent. */
const SHAPES: Readonly<Record<EventSubject, Shape>> = {
  webhook: object({ product: productShape, webhook: object({ url: text }) }),
  update: object({
    product: productShape,
    previous: FILE_VERSION_SHAPE,
    update: object({ ...versionMembers, title: text, description: text }),
  }),
  user: object({ product: productShape, user: object({ id: integer }) }),
};

export const PAYLOAD_SHAPES = Object.fromEntries(
  EVENT_NAMES.map((name) => [name, SHAPES[EVENT_SUBJECTS[name]]]),
) as Readonly<Record<EventName, Shape>>; // Object.fromEntries loses the names.

export interface ShapeProblem {
  /** JSON Pointer of the faulty member. */
  pointer: string;
  expected: string;
}

/** The first problem found, or null. The pointer is put together only where there is one. */
export function checkShape(shape: Shape, value: unknown, pointer = ""): ShapeProblem | null {
  const problem = problemOf(shape, value);
  return problem && { ...problem, pointer: pointer + problem.pointer };
}

function problemOf(shape: Shape, value: unknown): ShapeProblem | null {
  if (shape.type === "string") {
    if (typeof value !== "string") return { pointer: "", expected: "a string" };
    if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(value)) {
      return { pointer: "", expected: `a string like ${shape.pattern}` };
    }
    return null;
  }
  if (shape.type === "integer") {
    return Number.isSafeInteger(value) ? null : { pointer: "", expected: "an integer" };
  }
  if (!isObject(value)) return { pointer: "", expected: "an object" };
  for (const name of shape.required) {
    const child = shape.properties[name];
    if (!Object.hasOwn(value, name)) return { pointer: `/${name}`, expected: "present" };
    const problem = child && problemOf(child, value[name]);
    if (problem) return { ...problem, pointer: `/${name}${problem.pointer}` };
  }
  return null;
}

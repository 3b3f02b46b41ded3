import { type ErrorCode, errorEntry, ERRORS } from "@markethook/protocol";
import { Type } from "typebox";
import { makeProblem, PROBLEM_HEADERS } from "../request/problem.ts";
import { idOf, model } from "../schemas/fields.ts";

const codes = Object.entries(ERRORS)
  .filter(([, entry]) => entry.status !== undefined)
  .map(([code]) => code);

const ProblemSchema = model("Problem", {
  type: Type.String({ description: "Where the code is explained" }),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String({ enum: codes, description: "Stable; match on this" }),
  detail: Type.String({ description: "What was wrong here, and what to do" }),
  pointer: Type.Optional(
    Type.String({ description: "JSON Pointer into the body, or the name of a parameter" }),
  ),
  requestId: Type.String(),
  errors: Type.Optional(
    Type.Array(
      Type.Object({ code: Type.String(), pointer: Type.String(), detail: Type.String() }),
      { description: "All faulty fields, where there are several" },
    ),
  ),
});

const SCHEMA = { $ref: `#/components/schemas/${idOf(ProblemSchema)}` };

/** More codes would make a name that nobody reads: such an answer stands in its operation. */
const MOST_NAMED = 3;

/** The document's problem answers. Many operations have the same ones: those stand there once, by their codes' names. */
export function collectProblems() {
  const responses: Record<string, object> = {};
  const examples: Record<string, object> = {};
  const headers: Record<string, object> = {};

  function answerOf(status: number, codes: readonly ErrorCode[]): object {
    for (const code of codes) {
      const value = makeProblem(code, "req_abcdefghij1");
      examples[code] ??= { summary: errorEntry(code).title, value };
    }
    const answer = {
      description: codes.map((code) => `\`${code}\``).join(", "),
      ...headersOf(status),
      content: {
        "application/problem+json": {
          schema: SCHEMA,
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    };
    if (codes.length > MOST_NAMED) return answer;
    const name = codes.join("_or_");
    responses[name] = answer;
    return { $ref: `#/components/responses/${name}` };
  }

  function headersOf(status: number): { headers?: object } {
    const header = PROBLEM_HEADERS[status];
    if (header === undefined) return {};
    const { name, description, schema } = header;
    headers[name] ??= { description, required: true, schema };
    return { headers: { [name]: { $ref: `#/components/headers/${name}` } } };
  }

  return {
    /** The schemas to which the answers refer. */
    components: { responses, examples, headers },
    /** Those of an operation with these codes, by status. */
    answers(codes: readonly ErrorCode[]): Record<string, object> {
      const byStatus = Map.groupBy(codes, (code) => errorEntry(code).status ?? 500);
      return Object.fromEntries(
        [...byStatus].map(([status, list]) => [status, answerOf(status, list)]),
      );
    },
  };
}

import { type ErrorCode, errorEntry } from "@markethook/protocol";
import { makeProblem } from "../request/problem.ts";
import { ref } from "../schemas/fields.ts";
import { ProblemSchema } from "../schemas/problem.ts";

const MEDIA_TYPE = "application/problem+json";

/** The problem answers of an operation, by status, each with an example per code. */
export function problemAnswers(codes: readonly ErrorCode[]): Record<number, unknown> {
  const byStatus = Map.groupBy(codes, (code) => errorEntry(code).status ?? 500);
  const answers: Record<number, unknown> = {};
  for (const [status, list] of byStatus) {
    answers[status] = {
      description: list.map((code) => `\`${code}\``).join(", "),
      content: {
        [MEDIA_TYPE]: {
          schema: ref(ProblemSchema),
          examples: Object.fromEntries(
            list.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    };
  }
  return answers;
}

/** The examples that problem answers refer to. */
export function problemExamples(codes: Iterable<ErrorCode>): Record<string, { value: object }> {
  const examples = [...codes].sort().map((code) => {
    const title = errorEntry(code).title;
    return [code, { summary: title, value: makeProblem(code, "req_abcdefghij1") }] as const;
  });
  return Object.fromEntries(examples);
}

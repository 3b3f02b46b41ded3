import type { ErrorCode } from "@markethook/protocol";
import { BODY_OPTIONAL, ERROR_CODES } from "./operation.ts";
import { deliveryExamples } from "./examples/delivery-examples.ts";
import { eventExamples } from "./examples/event-examples.ts";
import type { OperationExample, OperationExamples } from "./examples/operation-example.ts";
import { operatorExamples } from "./examples/operator-examples.ts";
import { portalExamples } from "./examples/portal-examples.ts";
import { resourceExamples } from "./examples/resource-examples.ts";
import { webhookExamples } from "./examples/webhook-examples.ts";
import { statusText } from "../request/problem.ts";
import { collectProblems } from "./problem-answers.ts";
import { receiverWebhooks } from "./receiver-webhooks.ts";
import type { Scene } from "./sample-request.ts";

/** The parts of the generated document that are read or changed here. */
export interface ApiDocument {
  servers?: object[];
  paths?: Record<string, Record<string, DocumentedOperation>>;
  webhooks?: object;
  components?: object;
}

interface DocumentedOperation {
  operationId?: string;
  [BODY_OPTIONAL]?: boolean;
  [ERROR_CODES]?: ErrorCode[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, Answer>;
}

interface Answer {
  description?: string | undefined;
  content?: Record<string, Content>;
}

interface Content {
  examples?: Record<string, object>;
}

/**
 * Adds the parts that routes' schemas do not have: examples, headers of problems, the requests that receivers get, and
 * the service's address.
 */
export function completeDocument(document: ApiDocument, scene: Scene): void {
  const examples: OperationExamples = {
    ...resourceExamples(scene),
    ...eventExamples(scene),
    ...webhookExamples(scene),
    ...deliveryExamples(scene),
    ...portalExamples(scene),
    ...operatorExamples(scene),
  };
  const problems = collectProblems();
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    // The generator marks every body as required.
    if (operation[BODY_OPTIONAL] === true && operation.requestBody !== undefined)
      operation.requestBody.required = false;
    delete operation[BODY_OPTIONAL];
    addExamples(operation, examples[operation.operationId ?? ""] ?? { answers: {} });
    for (const [status, answer] of Object.entries(operation.responses)) {
      answer.description = statusText(Number(status));
    }
    // Not in the routes' own schemas, where each would get a serialiser: problems are written as text.
    Object.assign(operation.responses, problems.answers(operation[ERROR_CODES] ?? []));
  }
  document.components = { ...document.components, ...problems.components };
  document.webhooks = receiverWebhooks(scene);
  // The first works behind any proxy that keeps our paths; requests of the reference go there.
  document.servers = [
    { url: "/", description: "Where this document came from" },
    { url: scene.publicUrl, description: "Where browsers reach this service" },
  ];
}

function addExamples(
  operation: DocumentedOperation,
  { requests, answers }: OperationExample,
): void {
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    if (requests !== undefined) content.examples = values(requests);
  }
  for (const [status, value] of Object.entries(answers)) {
    for (const content of Object.values(operation.responses[status]?.content ?? {})) {
      content.examples = values({ success: value });
    }
  }
}

function values(named: Readonly<Record<string, unknown>>): Record<string, object> {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, { value }]));
}

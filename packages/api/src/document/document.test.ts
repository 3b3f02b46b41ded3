import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  type ErrorCode,
  errorEntry,
  ERRORS,
  EVENT_NAMES,
  PAYLOAD_SHAPES,
  signBody,
  type Shape,
} from "@markethook/protocol";
import { Check } from "typebox/value";
import { createTestApp } from "../testing/test-app.ts";
import { SECRET } from "./sample-request.ts";

interface Schema {
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Content {
  schema: Schema;
  examples?: Record<string, { $ref?: string; value: unknown }>;
}
interface Answer {
  content?: Record<string, Content>;
}
interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: Schema;
  required: boolean;
  example?: unknown;
}

interface Operation {
  operationId: string;
  tags: string[];
  security: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Answer | { $ref: string }>;
}
type Paths = Record<string, Record<string, Operation>>;

let document: {
  openapi: string;
  info: { version: string; license: object; contact: object };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Paths;
  webhooks: Paths;
  components: {
    schemas: Record<string, Schema>;
    examples: Record<string, { value: unknown }>;
    responses: Record<string, Answer>;
  };
};
let context: Record<string, object>;

before(async () => {
  const { app } = await createTestApp({
    serviceName: "Market",
    publicUrl: () => "https://h.example",
  });
  document = (await app.inject("/v1/openapi.json")).json();
  await app.close();
  context = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [
      `#/components/schemas/${name}`,
      closed(schema),
    ]),
  );
});

const operationsOf = (paths: Paths): Operation[] =>
  Object.values(paths).flatMap((path) => Object.values(path));
const bodiesOf = (operation: Operation): [status: string, content: Content][] =>
  Object.entries(operation.responses).flatMap(([status, answer]) => {
    const shared = "$ref" in answer ? answer.$ref.replace("#/components/responses/", "") : null;
    const { content = {} } =
      shared === null ? (answer as Answer) : (document.components.responses[shared] ?? {});
    return Object.values(content).map((each): [string, Content] => [status, each]);
  });

/** Answers may gain members, so their schemas are open; an example with a member of no schema is a mistake. */
function closed(schema: unknown): object {
  if (Array.isArray(schema)) return schema.map(closedValue);
  const members = Object.entries(schema as object).map(([name, value]) => [
    name,
    closedValue(value),
  ]);
  const copy = Object.fromEntries(members) as Schema & { additionalProperties?: unknown };
  if (copy.properties !== undefined) copy.additionalProperties ??= false;
  return copy;
}

function closedValue(value: unknown): unknown {
  return typeof value === "object" && value !== null ? closed(value) : value;
}

function checkExamples(where: string, { schema, examples = {} }: Content): void {
  assert.notEqual(Object.keys(examples).length, 0, `${where} has no example`);
  for (const [name, example] of Object.entries(examples)) {
    const stored = example.$ref?.replace("#/components/examples/", "");
    const { value } = stored === undefined ? example : (document.components.examples[stored] ?? {});
    assert.ok(Check(context, closed(schema), value), `${where}, ${name}: ${JSON.stringify(value)}`);
  }
}

test("each request and answer of each operation has examples, and each fits its schema", () => {
  let count = 0;
  for (const operation of [...operationsOf(document.paths), ...operationsOf(document.webhooks)]) {
    const { operationId } = operation;
    for (const content of Object.values(operation.requestBody?.content ?? {})) {
      checkExamples(`${operationId}, request`, content);
      count += 1;
    }
    for (const [status, content] of bodiesOf(operation)) {
      checkExamples(`${operationId}, ${status}`, content);
      count += 1;
    }
  }
  assert.ok(count > 400, String(count));
});

test("an example that does not fit is found", () => {
  const schema = { $ref: "#/components/schemas/EventReport" };
  const wrong = { event: "product.user.purchase" };
  assert.throws(() => checkExamples("x", { schema, examples: { wrong: { value: wrong } } }));
  assert.throws(() => checkExamples("x", { schema }), /has no example/);
});

test("the document says who runs the service, where it is, and under which licence", () => {
  assert.equal(document.openapi, "3.1.0");
  assert.deepEqual(document.info.license, { name: "MIT", identifier: "MIT" });
  assert.deepEqual(document.info.contact, {
    name: "The marketplace that runs this service",
    url: "https://market.example",
  });
  assert.deepEqual(
    document.servers.map(({ url }) => url),
    ["/", "https://h.example"],
  );
});

test("every tag that is used is described, and the other way round", () => {
  const all = [...operationsOf(document.paths), ...operationsOf(document.webhooks)];
  const used = new Set(all.flatMap(({ tags }) => tags));
  assert.deepEqual(document.tags.map(({ name }) => name).sort(), [...used].sort());
  assert.ok(document.tags.every(({ description }) => description !== ""));
});

test("each query parameter says what it is for", () => {
  const parameters = operationsOf(document.paths).flatMap(({ operationId, parameters = [] }) =>
    parameters.map((parameter) => ({ ...parameter, where: `${operationId} ${parameter.name}` })),
  );
  const queries = parameters.filter((parameter) => parameter.in === "query");
  assert.ok(queries.length > 50, String(queries.length));
  assert.deepEqual(
    queries.filter(({ description = "" }) => description === "").map(({ where }) => where),
    [],
  );
});

test("the five requests of receivers have the bodies of the specification, and headers that fit them", () => {
  assert.deepEqual(Object.keys(document.webhooks), [...EVENT_NAMES]);
  for (const event of EVENT_NAMES) {
    const post = document.webhooks[event]?.["post"];
    const content = post?.requestBody?.content["application/json"];
    assert.ok(post && content);
    assert.deepEqual(post.security, []);
    const schema = document.components.schemas[content.schema.$ref?.split("/").at(-1) ?? ""];
    assert.deepEqual(schema?.required, ["event", "time", "nonce", "payload"]);
    const { details, ...properties } = schema.properties?.["payload"]?.properties ?? {};
    assert.deepEqual(
      bare({ ...schema.properties?.["payload"], properties }),
      bare(PAYLOAD_SHAPES[event]),
    );
    assert.equal(details !== undefined, event !== "ping", "what only some webhooks get");

    const parameters = new Map((post.parameters ?? []).map((each) => [each.name, each]));
    for (const { name, schema: of, example } of parameters.values()) {
      if (example !== undefined) assert.ok(Check(of, example), `${event} ${name}`);
    }
    const optional = [...parameters.values()].filter(({ required }) => !required);
    assert.deepEqual(
      optional.map(({ name }) => name),
      ["webhook-signature", "X-Market-Signature-Next"],
    );
    assert.equal(parameters.get("X-Market-Webhook-Version")?.example, "1");
    const text = JSON.stringify(content.examples?.[event]?.value);
    assert.equal(parameters.get("X-Market-Signature")?.example, signBody(SECRET, text));
  }
});

/** Without descriptions. */
function bare(schema: Schema | Shape | undefined): unknown {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === "description" && typeof value === "string" ? undefined : value,
  );
}

/** Results of batches repeat the catalogue's words; an example had others, which no service says. */
test("an example of a refusal has the title and the advice that the service gives", () => {
  let count = 0;
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { code, title, detail } = value as Record<string, unknown>;
    if (Object.hasOwn(ERRORS, String(code)) && title !== undefined) {
      const entry = errorEntry(code as ErrorCode);
      assert.equal(title, entry.title);
      assert.ok(String(detail).endsWith(entry.advice), String(detail));
      count += 1;
    }
    for (const part of Object.values(value)) look(part);
  };
  look(document);
  assert.ok(count > 50, String(count));
});

/** The keywords of JSON Schema that our document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  /** The kind of thing that `{id}` names, as the path has it: `webhooks`, `deliveries`, … */
  kind: string;
  query: { name: string; schema: Schema }[];
  body: Schema | null;
  /** Statuses that the document has. */
  statuses: ReadonlySet<number>;
}

export interface Api {
  operations: Operation[];
  schemas: Readonly<Record<string, Schema>>;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: { name: string; in: string; schema: Schema }[];
        requestBody?: { content: Record<string, { schema: Schema }> };
        responses: Record<string, unknown>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

/** What the running service says of itself. */
export async function readApi(address: string): Promise<Api> {
  // It is the service's own document.
  const document = (await (await fetch(`${address}/v1/openapi.json`)).json()) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId, parameters = [], requestBody, responses }]): Operation => ({
        operationId,
        method: method.toUpperCase(),
        path,
        kind: path.split("/")[2] ?? "",
        query: parameters.filter((parameter) => parameter.in === "query"),
        body: requestBody?.content["application/json"]?.schema ?? null,
        statuses: new Set(Object.keys(responses).map(Number)),
      }),
    ),
  );
  return { operations, schemas: document.components.schemas };
}

import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema } from "fastify";
import type { TSchema } from "typebox";
import type { AppDeps } from "../app-deps.ts";
import { type ApiDocument, completeDocument } from "./complete-document.ts";
import { DOCUMENTED_BODY, TAG_LIST } from "./operation.ts";
import { MODELS } from "../schemas/fields.ts";

/** Collects the routes declared after it into an OpenAPI document. */
export async function useOpenApi(app: FastifyInstance, place: AppDeps): Promise<void> {
  for (const model of MODELS) app.addSchema(model);
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Markethook",
        version: place.version,
        description:
          "Outbound webhooks for a marketplace of downloadable resources. Errors are problem details (RFC 9457) with a stable `code`. Integers that are points in time are Unix seconds; texts are RFC 3339.",
        contact: { name: "The marketplace that runs this service", url: place.baseUrl },
        license: { name: "MIT", identifier: "MIT" },
      },
      tags: TAG_LIST,
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            description:
              "An API key, `mh_…`, or a portal session's token, `mhs_…`. Each operation names the scope that it needs.",
          },
        },
      },
      security: [{ apiKey: [] }],
    },
    convertConstToEnum: false,
    transform: ({ schema, url }) => ({ schema: asDocumented(schema), url }),
    transformObject: (document) => {
      const api = "openapiObject" in document ? document.openapiObject : document.swaggerObject;
      // The generator's types describe less than it makes.
      completeDocument(api as ApiDocument, { ...place, publicUrl: place.publicUrl() });
      return api;
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, i) =>
        typeof json["$id"] === "string" ? json["$id"] : `model-${i}`,
    },
  });
}

/** Uses the documented form of the body. */
function asDocumented(schema: FastifySchema | undefined): FastifySchema {
  const { [DOCUMENTED_BODY]: body, ...rest } = (schema ?? {}) as FastifySchema & {
    [DOCUMENTED_BODY]?: TSchema;
  };
  return body === undefined ? rest : { ...rest, body };
}

import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifyServerOptions } from "fastify";

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]
>;
type Schemas = Readonly<Record<string, unknown>>;
type Writer = (answer: unknown) => string;

const builderFor = SerializerSelector();

/** By the texts of their schemas. All apps of a process have the same referenced schemas. */
const writers = new Map<string, Writer>();

/**
 * Builds the writer of an answer when a route gives such an answer for the first time. A service has some 90 of them,
 * and building all of them takes longer than the rest of the API's start. Routes with the same answer share a writer.
 */
export const buildLazySerializers: NonNullable<CompilersFactory["buildSerializer"]> =
  (sharedSchemas, options) => (route) => {
    const shared = sharedSchemas as Schemas; // By their ids; its type says nothing of them.
    let write: Writer | null = null;
    return (answer) => {
      if (write === null) {
        const text = JSON.stringify(route.schema);
        const build = (): Writer =>
          builderFor(
            referredTo(text, shared),
            options,
          )({
            ...route,
            httpStatus: route.httpStatus ?? "default",
          });
        write = writers.get(text) ?? build();
        writers.set(text, write);
      }
      return write(answer);
    };
  };

/** The schemas to which one refers, directly or through others: each schema that is given makes building a writer slower. */
function referredTo(text: string, all: Schemas, found: Record<string, unknown> = {}): Schemas {
  for (const [, id = ""] of text.matchAll(/"\$ref":"([^"#]+)/g)) {
    if (Object.hasOwn(found, id) || !Object.hasOwn(all, id)) continue;
    found[id] = all[id];
    referredTo(JSON.stringify(all[id]), all, found);
  }
  return found;
}

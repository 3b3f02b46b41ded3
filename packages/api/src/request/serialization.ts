import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifyServerOptions } from "fastify";

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]
>;

const builderFor = SerializerSelector();

/**
 * Builds the writer of an answer when a route gives such an answer for the first time. A service has some 90 of them,
 * and building all of them takes longer than the rest of the API's start.
 */
export const buildLazySerializers: NonNullable<CompilersFactory["buildSerializer"]> = (
  sharedSchemas,
  options,
) => {
  const build = builderFor(sharedSchemas, options);
  return (route) => {
    let write: ((answer: unknown) => string) | null = null;
    return (answer) => {
      write ??= build({ ...route, httpStatus: route.httpStatus ?? "default" });
      return write(answer);
    };
  };
};

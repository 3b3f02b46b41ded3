import { TypeBoxValidatorCompiler } from "@fastify/type-provider-typebox";
import { AcceptedEvent, EventBody } from "@markethook/api/event-schemas";
import Fastify from "fastify";
import { Type } from "typebox";
import { serveCalls } from "./calls.ts";

/** The framework alone: the schema of reporting one event, and nothing behind it. */
const app = Fastify({ logger: false });
app.setValidatorCompiler(TypeBoxValidatorCompiler);
app.post(
  "/v1/resources/:id/events",
  {
    schema: {
      params: Type.Object({ id: Type.String() }),
      body: EventBody,
      response: { 202: AcceptedEvent },
    },
  },
  async (_request, reply) =>
    await reply
      .code(202)
      .send({ status: "accepted", eventId: "evt_0123456789abcdef", deliveries: 1 }),
);

const calls = {
  listen: async (): Promise<string> => await app.listen({ host: "127.0.0.1", port: 0 }),
};

export type FastifyCalls = typeof calls;

serveCalls(calls);

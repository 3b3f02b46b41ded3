import type { FastifyReply, FastifyRequest } from "fastify";

/** Programs that write an answer to a terminal without changes. */
const RAW = /^(?:curl|Wget)\//;

/**
 * Returns the payload, with a line break after JSON for programs whose users would find their prompt behind the last
 * brace. Other programs get the same bytes as before, for the price of one look at a header.
 */
export function forTerminal(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): unknown {
  const agent = request.headers["user-agent"];
  if (agent === undefined || !RAW.test(agent)) return payload;
  const type = reply.getHeader("content-type");
  const isJson = typeof type === "string" && /^application\/(?:[a-z]+\+)?json\b/.test(type);
  return isJson && typeof payload === "string" && payload !== "" ? `${payload}\n` : payload;
}

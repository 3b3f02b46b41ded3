import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The answer to the latest request of each socket, finished or not. */
export type LatestAnswers = Pick<WeakMap<Socket, ServerResponse>, "get">;

/** Notes every request, before anything else sees it. */
export function noteLatestAnswers(server: Server): LatestAnswers {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.prependListener("request", (request, response) => answers.set(request.socket, response));
  return answers;
}

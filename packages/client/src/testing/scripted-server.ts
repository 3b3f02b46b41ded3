import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@markethook/protocol/testing";

interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** What the server does with one request, which it has read whole. */
export type Step = (response: ServerResponse, request: SeenRequest) => void;

export interface ScriptedServer {
  url: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

/** Does with each request what the next step says; the last step is repeated. */
export async function startScriptedServer(steps: readonly Step[]): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      const step = steps[Math.min(seen.length, steps.length - 1)];
      seen.push(one);
      step?.(response, one);
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answerJson(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Step {
  return (response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Step {
  return answerJson(
    status,
    {
      type: `/docs/errors#${code}`,
      title: "It went wrong.",
      status,
      code,
      detail: "Do this.",
      requestId: "req_1",
    },
    { "content-type": "application/problem+json", ...headers },
  );
}

/** As when the answer is lost: the request was read, and the connection ends. */
export const drop: Step = (response) => void response.socket?.destroy();

/** Never answers. */
export const hang: Step = () => undefined;

export const accepted: Step = answerJson(202, {
  status: "accepted",
  eventId: "evt_1",
  deliveries: 1,
});

import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { listenOnLoopback } from "@markethook/protocol/testing";

/**
 * A load balancer as operators have them: it asks each instance's `/readyz`, sends requests to those that are ready over
 * connections that it keeps, and repeats nothing.
 */
export interface Balancer {
  address: string;
  ready(): string[];
  /** Requests that got no answer of an instance, or one that is no success, since the call. */
  failures(): () => string[];
  close(): Promise<void>;
}

const ASK_EVERY_MS = 100;
const ASK_TIMEOUT_MS = 1000;

/** @param listening addresses of instances; a new one is asked from then on, until it no longer listens */
export async function startBalancer(listening: () => readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const known = new Set<string>();
  const ready = new Set<string>();
  const failed: string[] = [];
  let turn = 0;

  async function look(address: string): Promise<void> {
    const status = await readiness(address);
    if (status === 200) ready.add(address);
    else ready.delete(address);
    if (status === null && !listening().includes(address)) known.delete(address);
  }
  const asking = setInterval(() => {
    for (const address of listening()) known.add(address);
    for (const address of known) void look(address);
  }, ASK_EVERY_MS);

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    turn += 1;
    const instance = [...ready][turn % Math.max(1, ready.size)];
    const fail = (reason: string): void => {
      failed.push(reason);
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    };
    if (instance === undefined) return fail("no instance is ready");
    const { method, url, headers } = incoming;
    const { connection: _, ...passed } = headers;
    const to = request(instance + (url ?? "/"), { agent, method, headers: passed });
    to.on("error", (error) => fail(`${instance}: ${error.message}`));
    to.on("response", (answer) => {
      const { statusCode = 502 } = answer;
      if (statusCode >= 300) failed.push(`${instance} answered ${statusCode}`);
      const { connection: __, ...answered } = answer.headers;
      outgoing.writeHead(statusCode, answered);
      answer.on("error", (error) => fail(`${instance}: ${error.message}`));
      answer.pipe(outgoing);
    });
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) to.destroy();
    });
    incoming.pipe(to);
  }

  const server = createServer(pass);
  const port = await listenOnLoopback(server);
  return {
    address: `http://127.0.0.1:${port}`,
    ready: () => [...ready],
    failures() {
      const before = failed.length;
      return () => failed.slice(before);
    },
    async close() {
      clearInterval(asking);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The status of `/readyz`; null: nothing answers. */
async function readiness(address: string): Promise<number | null> {
  return await new Promise((resolve) => {
    const asked = get(`${address}/readyz`, { timeout: ASK_TIMEOUT_MS, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? null);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(null));
  });
}

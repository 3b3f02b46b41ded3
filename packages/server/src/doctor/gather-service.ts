import type { Config } from "../settings/config-schema.ts";
import type { ServiceFacts } from "./facts.ts";

const ANSWER_MS = 2000;
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

/** Asks the address at which the service would listen. */
export async function gatherService({ host, port }: Config): Promise<ServiceFacts> {
  const reached = ANY_ADDRESS.has(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const address = `http://${reached}:${port}`;
  // With 0 it takes a free port, which is not known beforehand.
  const index = port === 0 ? "nothing" : await ask(`${address}/`);
  if (index === "nothing") return { address, found: "nothing" };
  if (index["service"] !== "markethook") return { address, found: "other" };
  const readiness = await ask(`${address}/readyz`);
  if (readiness === "nothing") return { address, found: "nothing" };
  return {
    address,
    found: {
      version: String(index["version"]),
      ready: readiness["status"] === "ready",
      checks: checksIn(readiness),
    },
  };
}

/** An answer that is no JSON object counts as an empty one. */
async function ask(url: string): Promise<Record<string, unknown> | "nothing"> {
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS), redirect: "manual" });
  } catch {
    return "nothing";
  }
  const body: unknown = await response.json().catch(() => null);
  // Any object is one.
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

/** If it is not ready, only the problem's sentence has them. */
function checksIn({ checks, detail }: Record<string, unknown>): Record<string, string> {
  // The service answers a word for each check.
  if (typeof checks === "object" && checks !== null) return checks as Record<string, string>;
  return typeof detail === "string" ? { answer: detail } : {};
}

import type { TestContext } from "node:test";
import { type ClientOptions, createClient } from "../create-client.ts";
import { startScriptedServer, type Step } from "./scripted-server.ts";

/** A client of a server that does with each request what the next step says; the last step is repeated. */
export async function against(
  t: TestContext,
  steps: readonly Step[],
  options: Partial<ClientOptions> = {},
) {
  const server = await startScriptedServer(steps);
  t.after(() => server.close());
  const client = createClient({ baseUrl: server.url, apiKey: "mh_test", backoffMs: 1, ...options });
  return { server, client };
}

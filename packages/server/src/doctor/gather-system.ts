import { Resolver } from "node:dns/promises";
import { connect } from "node:net";
import { availableParallelism } from "node:os";
import type { Config } from "../settings/config-schema.ts";
import { memoryLimit, openFileLimit } from "../process/machine-limits.ts";
import type { SystemFacts } from "./facts.ts";
import { isLocalHost } from "./check-urls.ts";

const DNS_MS = 2000;
const PROXY_MS = 2000;
/** Codes of answers without an address. */
const ANSWERS = new Set(["ENOTFOUND", "ENODATA"]);
/** Used if no name of the marketplace is known. */
const ANY_NAME = "example.com";

export async function gatherSystem(config: Config): Promise<SystemFacts> {
  const [resolverFault, egressProxyFault] = await Promise.all([
    askResolver(config.baseUrl),
    config.egressProxy === null ? null : dialProxy(config.egressProxy),
  ]);
  return {
    wallNow: Date.now(),
    openFiles: openFileLimit(),
    memoryBytes: memoryLimit(),
    cores: availableParallelism(),
    resolverFault,
    egressProxyFault,
  };
}

async function askResolver(baseUrl: string | null): Promise<string | null> {
  const host = baseUrl === null ? ANY_NAME : new URL(baseUrl).hostname;
  const name = isLocalHost(host) || /^[\d.]+$|:/.test(host) ? ANY_NAME : host;
  try {
    await new Resolver({ timeout: DNS_MS, tries: 1 }).resolve4(name);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // Node's errors have a code.
    return ANSWERS.has(code ?? "") ? null : `${name}: ${code ?? String(error)}`;
  }
}

/** Sends nothing: the proxy sees a connection that ends. */
function dialProxy({ host, port }: { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PROXY_MS });
    const end = (fault: string | null) => {
      socket.destroy();
      resolve(fault);
    };
    socket.once("connect", () => end(null));
    socket.once("timeout", () => end(`${host}:${port}: ETIMEDOUT`));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      end(`${host}:${port}: ${error.code ?? error.message}`),
    );
  });
}

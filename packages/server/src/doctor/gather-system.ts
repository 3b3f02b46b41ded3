import { Resolver } from "node:dns/promises";
import type { Config } from "../settings/config-schema.ts";
import { memoryLimit, openFileLimit } from "../process/machine-limits.ts";
import type { SystemFacts } from "./facts.ts";
import { isLocalHost } from "./local-host.ts";

const DNS_MS = 2000;
/** Codes of answers without an address. */
const ANSWERS = new Set(["ENOTFOUND", "ENODATA"]);
/** Used if no name of the marketplace is known. */
const ANY_NAME = "example.com";

export async function gatherSystem(config: Config): Promise<SystemFacts> {
  return {
    wallNow: Date.now(),
    openFiles: openFileLimit(),
    memoryBytes: memoryLimit(),
    resolverFault: await askResolver(config.baseUrl),
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

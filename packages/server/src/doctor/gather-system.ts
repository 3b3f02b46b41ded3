import { Resolver } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import type { Config } from "../config-schema.ts";
import type { SystemFacts } from "./facts.ts";
import { isLocalHost } from "./local-host.ts";

const LIMITS_FILE = "/proc/self/limits";
const DNS_MS = 2000;
/** Answers, though no address. */
const ANSWERS = new Set(["ENOTFOUND", "ENODATA"]);
/** Where no name of the marketplace's is known. */
const ANY_NAME = "example.com";

export async function gatherSystem(config: Config): Promise<SystemFacts> {
  const constrained = process.constrainedMemory();
  return {
    wallNow: Date.now(),
    openFiles: openFiles(),
    // Without a limit it is zero, or more than there is.
    memoryBytes: Math.min(totalmem(), constrained === 0 ? Infinity : constrained),
    resolverFault: await askResolver(config.baseUrl),
  };
}

/** Node raises the soft limit to the hard one, so what is shown for this process holds for the service too. */
function openFiles(): number | null {
  if (!existsSync(LIMITS_FILE)) return null;
  const found = /^Max open files\s+(\S+)/m.exec(readFileSync(LIMITS_FILE, "utf8"))?.[1];
  if (found === undefined) return null;
  return found === "unlimited" ? Infinity : Number(found);
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

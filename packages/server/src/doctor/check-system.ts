import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./finding.ts";

/** A thousand sockets to receivers, as many from clients, and what the process needs itself. */
const LEAST_FILES = 4096;
const MIB = 1024 ** 2;
/** What it takes without any delivery. */
const BASE_MIB = 200;

/** What the machine allows the process. */
export function checkSystem({ config, system }: Facts): Finding[] {
  const found: Finding[] = [];
  if (system.openFiles !== null && system.openFiles < LEAST_FILES) {
    found.push(
      finding(
        "file_descriptors_few",
        `A process may open ${system.openFiles} files; ${LEAST_FILES} is the least.`,
      ),
    );
  }
  const neededMib = 2 * (config.queueSize + config.intakeSize) + BASE_MIB;
  if (system.memoryBytes < neededMib * MIB) {
    found.push(
      finding(
        "memory_short",
        `There are ${Math.floor(system.memoryBytes / MIB)} MiB of memory; with these settings ${neededMib} may be needed.`,
      ),
    );
  }
  if (system.resolverFault !== null) {
    found.push(finding("resolver_silent", `Names are not answered: ${system.resolverFault}.`));
  }
  return found;
}

import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";
import {
  CONNECTION_BYTES,
  LEAST_CONNECTIONS,
  OWN_FILES,
  senderThreads,
} from "../process/machine-limits.ts";

/** Checks the service that runs here now, if there is one, and whether it sends. */
export function* checkService({ config, service }: Facts): Iterable<Finding> {
  if (config.dryRun)
    yield finding("dry_run", "MARKETHOOK_DRY_RUN is on: nothing is sent to receivers.");
  if (service.found === "nothing") return;
  if (service.found === "other") {
    yield finding("port_taken", `${service.address} answers, and is not this service.`);
    return;
  }
  const { ready, checks } = service.found;
  if (checks["mode"] === "development") {
    yield finding("development_running", `${service.address} runs in development mode.`);
  }
  if (checks["sending"] !== undefined && !config.dryRun) {
    yield finding("dry_run", `${service.address}: ${checks["sending"]}.`);
  }
  if (!ready) {
    const said = Object.entries(checks).map(([name, state]) => `${name}: ${state}`);
    yield finding("service_not_ready", `${service.address} is not ready (${said.join(", ")}).`);
  }
}

const MIB = 1024 ** 2;
/** Memory that it uses without any delivery. */
const BASE_MIB = 200;
const SENDER_THREAD_MIB = 50;

/** Checks the machine's limits for the process. */
export function* checkSystem({ config, system }: Facts): Iterable<Finding> {
  const connections = config.receiverConnections ?? LEAST_CONNECTIONS;
  const leastFiles = OWN_FILES + connections + config.clientConnections;
  if (system.openFiles !== null && system.openFiles < leastFiles) {
    yield finding(
      "file_descriptors_few",
      `A process may open ${system.openFiles} files; ${leastFiles} is the least.`,
    );
  }
  const buffersMib = 2 * (config.queueSize + config.intakeSize) + config.clientBodySize;
  const connectionsMib = Math.ceil((connections * CONNECTION_BYTES) / MIB) + config.tlsSessionSize;
  const threadsMib = senderThreads(config, system.cores) * SENDER_THREAD_MIB;
  const neededMib = buffersMib + connectionsMib + threadsMib + BASE_MIB;
  if (system.memoryBytes < neededMib * MIB) {
    yield finding(
      "memory_short",
      `There are ${Math.floor(system.memoryBytes / MIB)} MiB of memory; with these settings ${neededMib} may be needed.`,
    );
  }
  if (system.resolverFault !== null) {
    yield finding("resolver_silent", `Names are not answered: ${system.resolverFault}.`);
  }
  if (system.egressProxyFault !== null) {
    yield finding(
      "egress_proxy_silent",
      `The egress proxy takes no connection: ${system.egressProxyFault}.`,
    );
  }
}

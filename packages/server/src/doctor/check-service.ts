import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

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

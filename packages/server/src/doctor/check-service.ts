import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

/** Checks the service that runs here now, if there is one, and whether it sends. */
export function checkService({ config, service }: Facts): Finding[] {
  const found: Finding[] = [];
  if (config.dryRun)
    found.push(finding("dry_run", "MARKETHOOK_DRY_RUN is on: nothing is sent to receivers."));
  if (service.found === "nothing") return found;
  if (service.found === "other") {
    found.push(finding("port_taken", `${service.address} answers, and is not this service.`));
    return found;
  }
  const { ready, checks } = service.found;
  if (checks["mode"] === "development") {
    found.push(finding("development_running", `${service.address} runs in development mode.`));
  }
  if (checks["sending"] !== undefined && !config.dryRun) {
    found.push(finding("dry_run", `${service.address}: ${checks["sending"]}.`));
  }
  if (!ready) {
    const said = Object.entries(checks).map(([name, state]) => `${name}: ${state}`);
    found.push(
      finding("service_not_ready", `${service.address} is not ready (${said.join(", ")}).`),
    );
  }
  return found;
}

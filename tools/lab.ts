import { parseArgs } from "node:util";
import { enterLab, whyNoLab } from "../test/lab/enter.ts";
import { readReport } from "../test/lab/read-report.ts";

const HELP = `npm run lab -- [--full] [--urls N] [--rounds N] [--hosts N]

Runs the service, its address guard on, in a network namespace of its own, and aims it at loopback, private and
metadata addresses in every known way. Needs Linux and root, or user namespaces; no packet leaves the machine.

  --full       100,000 generated URLs, 1,000 rebinding rounds, 1,000 public hosts
  --urls N     generated URLs (500)
  --rounds N   names that are public when saved and lead inside later (64)
  --hosts N    public hosts that must get their events (60)`;

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    urls: { type: "string" },
    rounds: { type: "string" },
    hosts: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const reason = whyNoLab();
if (reason !== null) {
  console.error(`There can be no lab here: ${reason}`);
  process.exit(2);
}
const [urls, rounds, hosts] = values.full ? ["100000", "1000", "1000"] : ["500", "64", "60"];
const sizes = [values.urls ?? urls, values.rounds ?? rounds, values.hosts ?? hosts].map(String);
if (!sizes.every((size) => /^\d+$/.test(size))) {
  console.error("Sizes are whole numbers; see --help.");
  process.exit(2);
}
const startedAt = performance.now();
const report = await readReport(enterLab(sizes, "inherit"));
for (const [what, times] of Object.entries(report.counts))
  console.log(`${String(times).padStart(8)}  ${what}`);
const { trips, loopback, opens, accepted, control, faults } = report;
console.log(`
connections at tripwires   ${trips.length}
packets on loopback        ${loopback}
connections begun          ${opens}, of which ${accepted} came to public addresses
deliberate visits          ${control.trips} of ${control.expected} noticed
took                       ${Math.round((performance.now() - startedAt) / 1000)} s`);
for (const text of [...trips.slice(0, 20), ...faults]) console.error(`FAULT  ${text}`);
const noticed = control.trips === control.expected;
const clean = trips.length === 0 && loopback === 0 && opens === accepted && faults.length === 0;
process.exit(noticed && clean ? 0 : 1);

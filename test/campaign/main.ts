import { parseArgs } from "node:util";
import { againWithOwnMounts, diskFolder } from "./namespace.ts";
import { runCampaign } from "./run-campaign.ts";

const HELP = `npm run campaign -- [options]

Starts the service as an operator would, reports events, and does real harm to its processes, its disk and its
database, one fault after the other. After each fault the rate must come back; at the end everything that was accepted
must have arrived, in order per buyer. SQLite runs one instance; PostgreSQL two, behind a load
balancer and before a primary and its standby; where pgbouncer is installed, one of them goes through it.

  --store NAME     sqlite (default) or postgres
  --minutes M      for so long; default 2
  --threads N      sender threads of each instance; default 0
  --seed N         which faults come in which order; default another one each time
  --recovery N     after each fault the rate must be back within N seconds; default 10
  --only LIST      only these faults, e.g. "full disk,kill of an instance"

Exit code 1 when a promise was broken. Full disks and name servers that are away need Linux and the right to mount in a
namespace of one's own; clocks that are set, and writes that fail, need Linux and cc.
`;

const { values } = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    minutes: { type: "string", default: "2" },
    threads: { type: "string", default: "0" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    recovery: { type: "string", default: "10" },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
if (values.help) {
  print(HELP);
  process.exit(0);
}
const { store } = values;
if (store !== "sqlite" && store !== "postgres") throw new Error("--store is sqlite or postgres");
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0)) throw new Error("--minutes takes a number above 0");
if (!Number.isSafeInteger(seed)) throw new Error("--seed takes a whole number");
const threads = Number(values.threads);
if (!Number.isSafeInteger(threads) || threads < 0) {
  throw new Error("--threads takes a whole number from 0");
}
if (diskFolder() === null) {
  const ended = await againWithOwnMounts(store);
  if (typeof ended === "number") process.exit(ended);
  print(`Without full disks and name servers that are away: ${ended}.`);
}

const recoveredMs = Number(values.recovery) * 1000;
if (!(recoveredMs > 0)) throw new Error("--recovery takes a number above 0");
const only = values.only.split(",").filter((name) => name !== "");
print(
  `npm run campaign -- --store ${store} --minutes ${minutes} --threads ${threads} --seed ${seed}`,
);
const report = await runCampaign({ seed, minutes, store, threads, recoveredMs, only, print });
const faults = [...report.faults].map(([name, count]) => `${count} × ${name}`).join(", ");
print(
  `${faults}; ${report.accepted} events accepted, ${report.requests} requests, ${report.repeated} deliveries sent again, ` +
    `${report.forgotten} events gone with lost commits, slowest recovery ${Math.round(report.slowestMs)} ms, ` +
    `${report.violations.length} promises broken`,
);
for (const text of report.violations.slice(0, 50)) print(`  BROKEN ${text}`);
process.exit(report.violations.length === 0 ? 0 : 1);

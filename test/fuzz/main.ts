import { parseArgs } from "node:util";
import { startPostgres } from "@markethook/store/testing/postgres";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { runCampaign, type Campaign } from "./campaign.ts";
import { openWorld } from "./world.ts";

const HELP = `npm run fuzz -- [options]

Sends made-up requests to a real "markethook serve" and judges every answer: no 500, no trace, none over 5 s, no exit.

  --requests N         default 100000
  --seed N             repeats a run; default another one each time
  --from N             goes on with a run
  --minutes N          ends it in time; default never
  --concurrency N      default 16
  --database NAME      sqlite or postgres; default sqlite

Exit code 1 when anything was found. Example: npm run fuzz -- --requests 1000000 --database postgres
`;

const LONGEST_MS = 5000;

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    from: { type: "string", default: "0" },
    minutes: { type: "string", default: "0" },
    concurrency: { type: "string", default: "16" },
    database: { type: "string", default: "sqlite" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [requests, seed, from, minutes, concurrency] = (
  ["requests", "seed", "from", "minutes", "concurrency"] as const
).map((name) => {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} takes a whole number`);
  return number;
}) as [number, number, number, number, number]; // As many as there are names.
if (values.database !== "sqlite" && values.database !== "postgres") {
  throw new Error("--database is sqlite or postgres");
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const postgres = values.database === "postgres" ? await startPostgres() : null;
if (postgres !== null) process.env["MARKETHOOK_TEST_POSTGRES"] = postgres.url;
const world = await openWorld(await (postgres === null ? sqlitePlace() : postgresPlace()));
const startedAt = performance.now();
const seconds = (): number => (performance.now() - startedAt) / 1000;
let stopped = false;
process.once("SIGINT", () => (stopped = true));
process.once("SIGTERM", () => (stopped = true));

print(`seed ${seed}: requests ${from} to ${from + requests} on ${values.database}`);
let shown = seconds();
const campaign = await runCampaign(world, {
  seed,
  from,
  requests,
  concurrency: Math.max(1, concurrency),
  longestMs: LONGEST_MS,
  isOver: () => stopped || (minutes > 0 && seconds() > minutes * 60),
  onFault: (fault) => print(`FOUND ${fault}`),
  onRequest(progress) {
    if (seconds() - shown < 5) return;
    shown = seconds();
    print(progressLine(progress));
  },
});
print(progressLine(campaign));
const missed = world.api.operations.filter(({ operationId }) => !campaign.reached.has(operationId));
print(
  `operations only refused: ${missed.map(({ operationId }) => operationId).join(", ") || "none"}`,
);
const { ms, request } = campaign.slowest;
print(`slowest answer ${Math.round(ms)} ms: ${request.slice(0, 300)}`);
print(`memory ${JSON.stringify(campaign.memory)} MiB`);
print(`found: ${campaign.faults.length}`);
if (campaign.sent < requests) {
  const rest = from + requests - campaign.next;
  print(`go on with: npm run fuzz -- --seed ${seed} --from ${campaign.next} --requests ${rest}`);
}
await world.close();
await postgres?.stop();
process.exit(campaign.faults.length === 0 ? 0 : 1);

function progressLine({ sent, answers }: Campaign): string {
  const kinds = Object.entries(answers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`);
  const rate = Math.round(sent / seconds());
  return `${sent} of ${requests} (${Math.floor((sent / requests) * 100)} %), ${rate}/s, ${kinds.join(", ")}, ${world.memory() ?? "?"} MiB`;
}

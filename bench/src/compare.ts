import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type BuildCase, BUILD_CASES, compareBuilds } from "./cases/builds.ts";
import { spread } from "./report/statistics.ts";
import type { Build, StoreKind } from "./rig/service.ts";
import { startWorld } from "./rig/world.ts";

const HELP = `npm run compare -- [options] FOLDER[,NAME=VALUE][,--NODE-OPTION] ...

Builds of Markethook side by side, in turns of a few seconds, on one machine: whether a change was worth it. FOLDER is
what \`npm run pack -- --unpacked FOLDER\` made. With a comma come settings of the service and options of its Node.

  --store NAME   sqlite or postgres (sqlite)
  --case NAME    ${BUILD_CASES.join(", ")} (batched)
  --events N     per turn (30000)
  --rounds N     turns of each (8)
  --help

Prints each build's rate, its CPU and its ratio to the first, taken round by round.

Example: npm run compare -- --case webhooks /tmp/before /tmp/after /tmp/after,MARKETHOOK_LOG_LEVEL=debug`;

/** Of what `npm run pack -- --unpacked` makes. */
const INSIDE = "/package/dist/main.js";

const { values, positionals } = readArguments();
if (values.help) {
  console.log(HELP);
  process.exit();
}
const [events, rounds] = [Number(values.events), Number(values.rounds)];
const chosen = BUILD_CASES.find((name) => name === values.case);
const kind = (["sqlite", "postgres"] as const).find((name) => name === values.store);
if (chosen === undefined) refuse(`--case ${values.case} is not possible.`);
if (kind === undefined) refuse(`--store ${values.store} is not possible.`);
if (!(events > 0 && rounds > 0)) refuse("--events and --rounds are numbers above zero.");
if (positionals.length === 0) refuse("Which builds?");
for (const { command } of positionals.map(readBuild)) {
  if (!existsSync(command)) {
    const folder = command.slice(0, -INSIDE.length);
    refuse(`There is no build in ${folder}: npm run pack -- --unpacked ${folder}`);
  }
}
await run(kind, chosen);

async function run(store: StoreKind, of: BuildCase): Promise<void> {
  const world = await startWorld();
  try {
    const builds = positionals.map(readBuild);
    const turns = await compareBuilds(world, { kind: store, builds, of, events, rounds });
    const [first] = turns;
    for (const [no, mine] of turns.entries()) {
      const rates = spread(mine.map(({ rate }) => rate));
      const ratios = spread(mine.map(({ rate }, at) => rate / (first?.[at]?.rate ?? Number.NaN)));
      const middle = (values: number[]): string => spread(values).median.toFixed(1);
      const service = middle(mine.map(({ cpu }) => cpu.service ?? Number.NaN));
      const database = middle(mine.map(({ cpu }) => cpu.database ?? 0));
      const memory = middle(mine.map((turn) => turn.memory ?? Number.NaN));
      console.log(
        `${positionals[no]}\n  ${rates.median.toFixed(0)} per second (${rates.least.toFixed(0)} to ${rates.most.toFixed(0)}), ` +
          `1 : ${ratios.median.toFixed(3)} (${ratios.least.toFixed(2)} to ${ratios.most.toFixed(2)}), ` +
          `CPU s per 100,000: service ${service}, database ${database}; ${memory} MiB`,
      );
    }
  } finally {
    await world.stop();
  }
}

function readBuild(text: string): Build {
  const [folder = "", ...rest] = text.split(",");
  const settings = rest.filter((part) => !part.startsWith("-"));
  return {
    command: `${folder}${INSIDE}`,
    nodeArguments: rest.filter((part) => part.startsWith("-")),
    environment: Object.fromEntries(
      settings.map((part) => [part.split("=", 1)[0] ?? "", part.slice(part.indexOf("=") + 1)]),
    ),
  };
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        store: { type: "string", default: "sqlite" },
        case: { type: "string", default: "batched" },
        events: { type: "string", default: "30000" },
        rounds: { type: "string", default: "8" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(sentence: string): never {
  console.error(`${sentence}\n\n${HELP}`);
  process.exit(2);
}

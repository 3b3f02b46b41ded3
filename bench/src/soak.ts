import { parseArgs } from "node:util";
import { soak } from "./cases/soak.ts";
import { startWorld } from "./rig/world.ts";

const HELP = `npm run soak -- [options]

Three of ten webhooks break every rule; says what the others notice of it, and what it costs in memory. Receivers and
load share this machine, so that only the comparison within the run means something.

  --minutes N    in all, three tenths of it without the hostile ones (5)
  --webhooks N   (1000)
  --rate N       events per second (500)
  --help

Ends with 1 when a bound is broken: p99 of the healthy at most 1.2 times the baseline's or 10 ms more, nothing
missing or refused, at most 400 MiB, and growing by less than 10 MiB a minute at the end.`;

const MOST_MIB = 400;
const STEEPEST = 10;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    webhooks: { type: "string", default: "1000" },
    rate: { type: "string", default: "500" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const [minutes, webhooks, eventsPerSecond] = [values.minutes, values.webhooks, values.rate].map(
  Number,
) as [number, number, number]; // Three in, three out.
if (!(minutes > 0) || !(webhooks >= 10) || !(eventsPerSecond > 0)) {
  console.error(`These options are not possible; see --help.`);
  process.exit(2);
}

const world = await startWorld();
try {
  const { baseline, withHostile, missing, refused, memoryAlone, memory, cpu, hostile, kinds } =
    await soak(world, {
      minutes,
      webhooks,
      eventsPerSecond,
    });
  const bound = Math.max(baseline.p99 * 1.2, baseline.p99 + 10);
  const percent = (part: number): string => `${Math.round(part * 100)} %`;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  console.log(`${hostile} of ${webhooks} webhooks hostile, ${kinds} kinds, ${eventsPerSecond} events/s

healthy, alone      p50 ${ms(baseline.p50)}, p99 ${ms(baseline.p99)}, of ${baseline.count}
healthy, with them  p50 ${ms(withHostile.p50)}, p99 ${ms(withHostile.p99)}, of ${withHostile.count}
memory, alone       most ${memoryAlone.most.toFixed(0)} MiB
memory, with them   ${memory.first.toFixed(0)} to ${memory.last.toFixed(0)} MiB, most ${memory.most.toFixed(0)}, ${memory.slope.toFixed(1)} MiB a minute at the end
of a core           service ${percent(cpu.alone)} alone, ${percent(cpu.service)} with them; the hostile ones ${percent(cpu.hostile)}
`);
  const verdicts: [string, boolean][] = [
    [`p99 at most ${ms(bound)}`, withHostile.p99 <= bound],
    [`nothing missing (${missing})`, missing === 0],
    [`no event refused (${refused})`, refused === 0],
    [`at most ${MOST_MIB} MiB`, memory.most <= MOST_MIB],
    [`flat: under ${STEEPEST} MiB a minute`, memory.slope < STEEPEST],
  ];
  for (const [what, holds] of verdicts) console.log(`${holds ? "holds " : "BROKEN"}  ${what}`);
  process.exitCode = verdicts.every(([, holds]) => holds) ? 0 : 1;
} finally {
  await world.stop();
}
